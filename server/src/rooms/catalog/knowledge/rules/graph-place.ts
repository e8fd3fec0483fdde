import type { GraphStep, GraphTask } from '@signalbox/pipeline/graph'
import type { JudgedPlace, JudgedTask } from './judged.ts'

/** The profiles of one run, as it pinned them. */
export interface RunProfiles {
  /** What the pipeline names; null: the default. */
  readonly named: string | null
  /** Image of the profile of that name; null: it runs tasks on its host. */
  imageOf(name: string | null): string | null
}

/** A step, or a task of it, of a compiled pipeline as rules are told of it. `task` null: the step begins. */
export function placeInGraph(step: GraphStep, task: GraphTask | null, profiles: RunProfiles): JudgedPlace {
  const judged = {
    name: step.name,
    scope: step.scope,
    // Looked for when a rule asks: a step may have two thousand tasks, and be asked about for each of them.
    get images() {
      return [...new Set(step.tasks.flatMap((each) => describe(step, each, profiles).images))]
    },
  }
  if (!task) return { at: 'step', step: judged }
  return { at: 'task', step: judged, task: describe(step, task, profiles) }
}

function describe(step: GraphStep, task: GraphTask, profiles: RunProfiles): JudgedTask {
  const { name, kind } = task
  const profile = task.profile ?? step.profile ?? profiles.named
  // Nothing of ours runs for the others: a child run is judged by itself, and people need no container.
  if (task.kind !== 'run') return { name, kind, image: null, images: [], profile: null, commands: '' }
  const image = task.container?.image ?? profiles.imageOf(profile)
  const services = task.container?.services.map((service) => service.image) ?? []
  const images = image === null ? services : [image, ...services]
  return { name, kind, image, images, profile, commands: task.script }
}
