import type { RunInFlight } from '#rooms/execution/runs'
import { findTask } from './find-task.ts'
import { laneText } from './lanes.ts'

type Profile = RunInFlight['profiles'][string]

/** Where a task runs, and what its profile gives it. */
export interface Placement extends Profile {
  readonly scope: string
  readonly lane: string
}

/**
 * Its own profile, else that of its step, else that of the run; the scope of its step, else that of the run. A profile
 * that was not pinned (the run is of an older release) is the run's.
 */
export function placeOf(run: RunInFlight, stepName: string, taskName: string): Placement {
  const found = findTask(run.graph, stepName, taskName)
  const scope = found?.step.scope ?? run.scope
  const name = found?.task.profile ?? found?.step.profile ?? null
  const profile = name === null ? undefined : run.profiles[name]
  if (profile) return { ...profile, scope, lane: laneText(scope, profile.requirement) }
  const { requirement, profileEnvironment: environment, image, resources } = run
  const lane = scope === run.scope ? run.lane : laneText(scope, requirement)
  return { requirement, environment, image, resources, scope, lane }
}
