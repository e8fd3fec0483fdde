import type { DocumentLimits } from '../limits.ts'
import type { Layout } from '../matrix/index.ts'
import { millisecondsOf, type Outline, type Placed } from '../outline/index.ts'
import type { ExternalReference, Pipeline } from '../pipeline.ts'
import { defineCheckout } from './define-checkout.ts'

/** The head of the pipeline in a sound document; undefined without a name. */
export function defineHead(outline: Outline, layout: Layout, limits: DocumentLimits): Pipeline | undefined {
  if (outline.name === undefined) return undefined
  return {
    name: outline.name.value,
    variables: plain(outline.variables),
    secrets: plain(outline.secrets),
    profile: outline.profile?.value ?? null,
    timeoutMs: millisecondsOf(outline.timeout) ?? limits.defaultRunTimeoutMs,
    checkout: defineCheckout(undefined, outline.checkout),
    stepCount: outline.steps.length,
    taskCount: layout.taskCount,
    references: externalReferences(outline),
  }
}

/** In the order of the document, even of an unsound one. */
export function externalReferences(outline: Outline): ExternalReference[] {
  const found: ExternalReference[] = []
  const add = (kind: ExternalReference['kind'], placed: Placed<string> | undefined) => {
    if (placed === undefined) return
    const { value, directive, line, column } = placed
    found.push({ kind, target: value, directive, line, column, inputs: [], outputs: [] })
  }
  add('profile', outline.profile)
  for (const secret of outline.secrets.values()) add('secret', secret)
  for (const step of outline.steps) {
    add('scope', step.scope)
    add('profile', step.profile)
    for (const approver of step.approval?.approvers ?? []) add('approver', approver)
    for (const task of step.tasks) {
      add('profile', task.profile)
      add('secret', task.container.registryCredential)
      for (const secret of task.container.registryCredentials.values()) add('secret', secret)
      if (task.pipeline === undefined) continue
      const { value, directive, line, column } = task.pipeline
      const { line: outputLine, column: outputColumn } = task.directives.get('outputs')?.key ?? task
      found.push({
        kind: 'pipeline',
        target: value,
        directive,
        line,
        column,
        inputs: [...task.inputs].map(([name, input]) => ({
          name,
          directive: input.directive,
          line: input.line,
          column: input.column,
        })),
        outputs: [...task.outputs.keys()].map((name) => ({
          name,
          directive: `${task.directive}.outputs.${name}`,
          line: outputLine,
          column: outputColumn,
        })),
      })
    }
  }
  return found
}

function plain(values: ReadonlyMap<string, Placed<string>>): Record<string, string> {
  return Object.fromEntries([...values].map(([name, { value }]) => [name, value]))
}
