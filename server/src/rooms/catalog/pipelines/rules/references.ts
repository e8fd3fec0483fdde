import type { Graph, GraphTask } from '@signalbox/pipeline/graph'

/** Something outside the pipeline, and the directive that names it. */
export interface PipelineReference {
  readonly kind: 'secret' | 'profile' | 'scope' | 'pipeline'
  /** `<team path>/<name>`; of a profile as the document names it. */
  readonly target: string
  readonly directive: string
}

/** Everything outside the pipeline that its graph names, in the order of the document; a matrix counts as one task. */
export function referencesOf(graph: Graph): readonly PipelineReference[] {
  const found = new Map<string, PipelineReference>()
  const note = (kind: PipelineReference['kind'], target: string | null, directive: string): void => {
    if (target !== null) found.set(`${directive} ${target}`, { kind, target, directive })
  }
  note('profile', graph.profile, 'profile')
  for (const [name, path] of Object.entries(graph.secrets)) note('secret', path, `secrets.${name}`)
  for (const step of graph.steps) {
    note('scope', step.scope, `steps.${step.name}.scope`)
    note('profile', step.profile, `steps.${step.name}.profile`)
    for (const task of step.tasks) {
      const at = `steps.${step.name}.tasks.${task.template}`
      note('profile', task.profile, `${at}.profile`)
      note('pipeline', pipelineOf(task), `${at}.pipeline`)
      for (const { registry, secret } of task.container?.registryCredentials ?? []) {
        note('secret', secret, `${at}.registry_credential${registry === null ? '' : `.${registry}`}`)
      }
    }
  }
  return [...found.values()]
}

/** The pipelines that its tasks start, each with the scope of the step; null: that of the run. */
export function childrenOf(graph: Graph): readonly { readonly child: string; readonly scope: string | null }[] {
  return graph.steps.flatMap(({ scope, tasks }) =>
    tasks.flatMap((task) => {
      const child = pipelineOf(task)
      return child === null ? [] : [{ child, scope }]
    }),
  )
}

function pipelineOf(task: GraphTask): string | null {
  switch (task.kind) {
    case 'pipeline':
      return task.pipeline
    case 'run':
    case 'approval':
      return null
  }
}
