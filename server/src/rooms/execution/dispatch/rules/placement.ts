import type { RunInFlight } from '#rooms/execution/runs'
import { findTask } from './find-task.ts'
import { imageOf } from './judged.ts'
import { laneText } from './lanes.ts'

type Profile = RunInFlight['profiles'][string]

/** Where a task runs, and what its profile gives it. */
export interface Placement extends Profile {
  readonly scope: string
  readonly lane: string
}

/**
 * The profile is the task's own, else that of its step, else that of the run. The scope is that of the step, else that of
 * the run. A profile that is not pinned is the run's.
 */
export function placeOf(run: RunInFlight, stepName: string, taskName: string): Placement {
  const found = findTask(run.graph, stepName, taskName)
  const scope = found?.step.scope ?? run.scope
  const name = found?.task.profile ?? found?.step.profile ?? null
  const profile = (name === null ? undefined : run.profiles[name]) ?? ownProfile(run)
  // A task that names an image runs in a container, whatever its profile says.
  const inContainer = found !== undefined && imageOf(run, found.step, found.task) !== null
  const requirement = inContainer ? { ...profile.requirement, executor: 'container' as const } : profile.requirement
  const same = scope === run.scope && requirement === run.requirement
  return { ...profile, requirement, scope, lane: same ? run.lane : laneText(scope, requirement) }
}

function ownProfile({ requirement, profileEnvironment: environment, image, resources }: RunInFlight): Profile {
  return { requirement, environment, image, resources }
}
