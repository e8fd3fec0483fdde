import {
  compileGraph,
  type Graph,
  type GraphFinalOutput,
  type StepDefinition,
  type TaskDefinition,
} from '../../graph/index.ts'
import { parseTemplate } from '../../outputs/index.ts'
import { reportLength } from '../checks/index.ts'
import type { Layout, StepLayout } from '../matrix/index.ts'
import { millisecondsOf, type Outline } from '../outline/index.ts'
import type { Pipeline } from '../pipeline.ts'
import type { ProblemList } from '../problem.ts'
import { defineTask, type TaskMeans } from './define-task.ts'

/** The graph of a sound document; undefined where its matrices make too much of it, which is reported. */
export function defineGraph(head: Pipeline, means: TaskMeans, problems: ProblemList): Graph | undefined {
  const { outline, layout, limits } = means
  const length = { left: limits.graphLength }
  const steps: StepDefinition[] = []
  for (const step of layout.steps) {
    const tasks = defineTasks(means, step, length)
    if (tasks === undefined) {
      reportLength(step.step, limits, problems)
      return undefined
    }
    steps.push(defineStep(step, tasks))
  }
  const made = finalOutputs(outline, layout)
  length.left -= lengthOf(made)
  const [first] = layout.steps.filter(({ combinations }) => combinations !== null)
  if (length.left < 0 && first !== undefined) {
    reportLength(first.step, limits, problems)
    return undefined
  }
  const { concurrency } = outline
  return compileGraph({
    timeoutMs: head.timeoutMs,
    queueTimeoutMs: millisecondsOf(outline.queueTimeout) ?? null,
    priority: outline.priority ?? 0,
    concurrency: concurrency
      ? { group: concurrency.group.value, onConflict: conflictOf(concurrency.onConflict) }
      : null,
    finalOutputs: made,
    profile: head.profile,
    variables: head.variables,
    secrets: head.secrets,
    steps,
  })
}

/** Undefined once the graph is too long. Without any matrix a graph is as bounded as its document. */
function defineTasks(means: TaskMeans, step: StepLayout, length: { left: number }): TaskDefinition[] | undefined {
  const tasks: TaskDefinition[] = []
  const bounded = means.layout.steps.every(({ combinations }) => combinations === null)
  for (const [task, instances] of step.instances) {
    for (const [at, instance] of instances.entries()) {
      const defined = defineTask(means, step, task, instance)
      if (defined === undefined) continue
      // All instances of a task are about as long as its first.
      if (at === 0 && !bounded) length.left -= JSON.stringify(defined).length * instances.length
      if (length.left < 0) return undefined
      tasks.push(defined)
    }
  }
  return tasks
}

function defineStep({ step }: StepLayout, tasks: readonly TaskDefinition[]): StepDefinition {
  const when = step.when[0]?.value
  return {
    name: step.name?.value ?? '',
    dependsOn: step.dependsOn.map((dependency) => dependency.value),
    when: when === 'always' || when === 'failure' ? when : 'success',
    condition: step.condition?.value ?? null,
    timeoutMs: millisecondsOf(step.timeout) ?? null,
    ignoreFailure: step.ignoreFailure?.value ?? false,
    scope: step.scope?.value ?? null,
    profile: step.profile?.value ?? null,
    ...(step.workspace?.value === 'shared' ? { sharedWorkspace: true } : {}),
    tasks,
  }
}

function finalOutputs(outline: Outline, layout: Layout): GraphFinalOutput[] {
  return outline.finalOutputs.map(({ name, format, template }) => ({
    name: name?.value ?? '',
    format: format === 'json' || format === 'text' ? format : 'markdown',
    template: parseTemplate(template?.value ?? '').template.map((part) =>
      typeof part === 'string' ? part : layout.resolve(part, null),
    ),
  }))
}

/** About as many characters as its JSON has. */
function lengthOf(outputs: readonly GraphFinalOutput[]): number {
  let length = 0
  for (const part of outputs.flatMap(({ template }) => template)) {
    if (typeof part === 'string') length += part.length
    else if ('tasks' in part) for (const task of part.tasks) length += task.length + 3
  }
  return length
}

function conflictOf(onConflict: string | undefined) {
  return onConflict === 'cancel_running' || onConflict === 'skip' ? onConflict : 'queue'
}
