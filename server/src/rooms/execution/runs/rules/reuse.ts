import type { Graph, GraphStep, GraphTask } from '@signalbox/pipeline/graph'
import { findStepState, findTaskState, type Reuse, type ReusedTask, type RunState } from '@signalbox/pipeline/status'
import type { Repetition } from './run-in-flight.ts'

/** The tasks that a rerun takes over from the run that it repeats, or a sentence that says why such a rerun is impossible. */
export type ReuseResult = { readonly tasks: Reuse } | { readonly problem: string }

export interface EarlierRun {
  readonly id: string
  readonly state: RunState | undefined
  /** Of the same document, variables and initiator: what people approved then, they approved of this. */
  readonly sameDocument: boolean
}

/**
 * The tasks that are not done again. `failed`: those that succeeded. `step`: those that succeeded and lie neither in
 * the step nor behind it. A task counts only where everything before it is taken over, or was skipped without harm. An
 * approval is taken over only for the same document and initiator.
 */
export function findReuse(graph: Graph, { mode, step: from }: Repetition, earlier: EarlierRun): ReuseResult {
  if (mode === 'whole') return { tasks: new Map() }
  const { state } = earlier
  if (!state) return { problem: 'The run never began: there is nothing to take over. Rerun it whole.' }
  if (mode === 'failed' && state.status === 'success') {
    return { problem: 'Nothing in the run failed: rerun it whole, or from a step.' }
  }
  if (mode === 'step' && !graph.steps.some((step) => step.name === from)) {
    const names = graph.steps.map((step) => step.name).join(', ')
    return { problem: `The document has no step ${from}; it has ${names}.` }
  }
  const again = mode === 'step' && from !== null ? behind(graph, from) : new Set<string>()
  const needed = new Set<string>()
  for (;;) {
    const tasks = takeOver(graph, { again, needed }, earlier, state)
    const missing = leftArtifacts(graph, tasks)
    if (missing.length === 0) return { tasks }
    for (const path of missing) needed.add(path)
  }
}

/** `again`: steps that are done again; `needed`: tasks that are, for the sake of what they leave. */
function takeOver(
  graph: Graph,
  { again, needed }: { readonly again: ReadonlySet<string>; readonly needed: ReadonlySet<string> },
  earlier: EarlierRun,
  state: RunState,
): Map<string, ReusedTask> {
  const tasks = new Map<string, ReusedTask>()
  const settled = new Set<string>()
  for (const step of inOrder(graph.steps)) {
    const free = !again.has(step.name) && step.dependsOn.every((name) => settled.has(name))
    const kept = free ? keptTasks(step, state, needed, earlier.sameDocument) : new Set<string>()
    for (const task of step.tasks) {
      const before = kept.has(task.name) ? findTaskState(state, step.name, task.name) : undefined
      if (before?.status !== 'success') continue
      const { outputs, exitCode } = before
      tasks.set(`${step.name}/${task.name}`, { outputs, exitCode, reason: `taken over from run ${earlier.id}` })
    }
    const skipped = findStepState(state, step.name)
    if (
      free &&
      ((skipped?.status === 'skipped' && !skipped.blocks) || step.tasks.every(({ name }) => kept.has(name)))
    ) {
      settled.add(step.name)
    }
  }
  return tasks
}

/** Artifacts belong to one run, so a task runs again when a repeated task needs its artifacts. */
function leftArtifacts(graph: Graph, tasks: ReadonlyMap<string, ReusedTask>): string[] {
  return graph.steps.flatMap((step) =>
    step.tasks
      .filter((task) => !tasks.has(`${step.name}/${task.name}`))
      .flatMap((task) => task.needsArtifacts.map((needed) => `${needed.step}/${needed.task}`))
      .filter((path) => tasks.has(path)),
  )
}

/** Tasks of a step that need not be done again: green ones, and such that were skipped by their own condition. */
function keptTasks(
  step: GraphStep,
  state: RunState,
  needed: ReadonlySet<string>,
  sameDocument: boolean,
): ReadonlySet<string> {
  const kept = new Set<string>()
  for (const task of inOrder(step.tasks)) {
    const before = findTaskState(state, step.name, task.name)
    const harmless = before?.status === 'success' || (before?.status === 'skipped' && !before.blocks)
    const allowed = mayStandFor(task, sameDocument) && !needed.has(`${step.name}/${task.name}`)
    if (harmless && allowed && task.dependsOn.every((name) => kept.has(name))) kept.add(task.name)
  }
  // The files in the shared workspace of the step are gone.
  if (step.sharedWorkspace && kept.size < step.tasks.length) return new Set()
  return kept
}

/** People approved one document: their decision stands for no other. */
function mayStandFor({ kind }: GraphTask, sameDocument: boolean): boolean {
  switch (kind) {
    case 'run':
    case 'pipeline':
      return true
    case 'approval':
      return sameDocument
  }
}

/** The step and all that depends on it, directly or not. */
function behind(graph: Graph, name: string): Set<string> {
  const found = new Set([name])
  const dependents = new Map(graph.steps.map((step) => [step.name, step.dependents]))
  for (const each of found) for (const next of dependents.get(each) ?? []) found.add(next)
  return found
}

/** The nodes in the order of their dependencies; each once. */
function inOrder<Node extends GraphStep | GraphTask>(nodes: readonly Node[]): readonly Node[] {
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const waits = new Map(nodes.map((node) => [node.name, new Set(node.dependsOn).size]))
  const ordered = nodes.filter((node) => node.dependsOn.length === 0)
  // Grows while it is walked.
  for (const node of ordered) {
    for (const name of node.dependents) {
      const left = (waits.get(name) ?? 0) - 1
      waits.set(name, left)
      const next = byName.get(name)
      if (left === 0 && next) ordered.push(next)
    }
  }
  return ordered
}
