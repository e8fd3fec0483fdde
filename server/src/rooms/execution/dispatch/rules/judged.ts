import type { GraphStep, GraphTask } from '@signalbox/pipeline/graph'
import type { GuardPlace } from '@signalbox/pipeline/status'
import type { JudgedPlace, JudgedRun, JudgedStep, JudgedTask } from '#rooms/catalog/knowledge'
import type { RunInFlight } from '#rooms/execution/runs'

/** The facts of a run that rules may read. The same of a run that begins, and of one that is long over. */
export function judgedRun(run: RunInFlight): JudgedRun {
  const { teamPath, scope, cause, repository, untrusted } = run
  const initiator = { kind: run.initiator.kind, name: run.initiator.name }
  const pipeline = run.pipelineIdentifier
  return {
    pipeline,
    teamPath,
    scope,
    initiator,
    cause,
    repository,
    branch: run.context.run.branch,
    untrusted,
    variables: run.context.variables,
  }
}

/** Tells rules of the steps and tasks of one run that are about to begin. A step is read once, whatever tasks it has. */
export function judgingPlaces(run: RunInFlight): (place: GuardPlace) => JudgedPlace {
  const known = new Map<GraphStep, JudgedStep>()
  return ({ step, task }) => {
    const judged = known.get(step) ?? judgedStep(run, step)
    known.set(step, judged)
    return task === null
      ? { at: 'step', step: judged }
      : { at: 'task', step: judged, task: judgedTask(run, step, task) }
  }
}

function judgedStep(run: RunInFlight, step: GraphStep): JudgedStep {
  const images = new Set(step.tasks.flatMap((task) => imagesOf(run, step, task)))
  return { name: step.name, scope: step.scope, images: [...images] }
}

function judgedTask(run: RunInFlight, step: GraphStep, task: GraphTask): JudgedTask {
  return {
    name: task.name,
    kind: task.kind,
    image: imageOf(run, step, task),
    images: imagesOf(run, step, task),
    profile: task.profile ?? step.profile ?? run.graph.profile,
    commands: commandsOf(task),
  }
}

function commandsOf(task: GraphTask): string {
  switch (task.kind) {
    case 'run':
      return task.script
    case 'pipeline':
    case 'approval':
      return ''
  }
}

/** Of its container, else of its profile; null: it runs in none. */
export function imageOf(run: RunInFlight, step: GraphStep, task: GraphTask): string | null {
  switch (task.kind) {
    case 'run': {
      const name = task.profile ?? step.profile
      const profile = name === null ? undefined : run.profiles[name]
      return task.container?.image ?? (profile ? profile.image : run.image)
    }
    case 'pipeline':
    case 'approval':
      return null
  }
}

/** The image of the task and those of its services. */
export function imagesOf(run: RunInFlight, step: GraphStep, task: GraphTask): readonly string[] {
  const image = imageOf(run, step, task)
  const services = task.container?.services.map((service) => service.image) ?? []
  return image === null ? services : [image, ...services]
}
