import type { Graph, GraphStep, GraphTask } from '@signalbox/pipeline/graph'

interface Profile {
  readonly requirement: { readonly executor: 'host' | 'container'; readonly labels: readonly string[] }
  readonly image: string | null
}

/**
 * The requirement of a run on a runner, to leave the queue: that of its profile. Where each script runs in a
 * container, the executor is container, so that the run waits for no runner that it never needs.
 */
export function queueRequirement(
  graph: Graph,
  own: Profile,
  profiles: Readonly<Record<string, Profile>>,
): Profile['requirement'] {
  const inContainer = (step: GraphStep, task: GraphTask): boolean => {
    const name = task.profile ?? step.profile
    const profile = (name === null ? undefined : profiles[name]) ?? own
    return (task.container?.image ?? profile.image) !== null
  }
  const scripts = graph.steps.flatMap((step) => step.tasks.filter(needsRunner).map((task) => inContainer(step, task)))
  if (scripts.length === 0 || !scripts.every(Boolean)) return own.requirement
  return { ...own.requirement, executor: 'container' }
}

function needsRunner({ kind }: GraphTask): boolean {
  switch (kind) {
    case 'run':
      return true
    case 'pipeline':
    case 'approval':
      return false
  }
}
