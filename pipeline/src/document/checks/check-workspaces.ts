import type { CheckoutOutline, Outline, StepOutline, TaskOutline } from '../outline/index.ts'
import type { ProblemList } from '../problem.ts'
import type { DocumentOrder } from './check-order.ts'

/** Checks steps whose tasks share a workspace: the tasks use it one after the other on one runner. */
export function checkWorkspaces(outline: Outline, order: DocumentOrder, problems: ProblemList): void {
  for (const step of outline.steps) {
    if (step.workspace?.value !== 'shared') continue
    if (step.matrix !== undefined) {
      const message =
        'the instances of a matrix run at once and would write to the same files. Leave out `matrix` or `workspace: shared`; artifacts carry files from task to task, too'
      problems.add('conflicting_directives', step.workspace.directive, step.workspace, message)
    }
    const tasks = step.tasks.filter((task) => task.types.some(({ hasWorkspace }) => hasWorkspace))
    checkTurns(step, tasks, order, problems)
    checkAlike(tasks, outline.checkout, problems)
  }
}

/** Names each task that may run at once with an earlier one of the list, once. */
function checkTurns(
  step: StepOutline,
  tasks: readonly TaskOutline[],
  order: DocumentOrder,
  problems: ProblemList,
): void {
  const known = order.tasks.get(step)
  if (known === undefined || known.cycles.length > 0) return
  const earlier: string[] = []
  for (const task of tasks) {
    const name = task.name?.value
    if (name === undefined) continue
    const other = earlier.find((one) => one !== name && !known.precedes(one, name) && !known.precedes(name, one))
    if (other !== undefined) {
      const message = `the tasks of this step share a workspace, and \`${name}\` may run at once with \`${other}\`. Write depends_on: [${other}] here, or move one of them to another step`
      problems.add('shared_at_once', `${task.directive}.depends_on`, task, message)
    }
    earlier.push(name)
  }
}

/** One runner has the workspace, and it is checked out once. */
function checkAlike(
  tasks: readonly TaskOutline[],
  byDefault: CheckoutOutline | undefined,
  problems: ProblemList,
): void {
  const first = describe(tasks[0]?.checkout ?? byDefault)
  for (const task of tasks) {
    if (task.profile !== undefined) {
      const message =
        'the tasks of this step share a workspace, so that all of them run on one runner: write `profile` on the step'
      problems.add('conflicting_directives', task.profile.directive, task.profile, message)
    }
    if (describe(task.checkout ?? byDefault) === first) continue
    const message =
      'the tasks of this step share a workspace, which is checked out once: write the same `checkout` on all of them'
    const at = task.directives.get('checkout')?.key ?? task
    problems.add('conflicting_directives', `${task.directive}.checkout`, at, message)
  }
}

/** Gives the same text for the same meaning. */
function describe(checkout: CheckoutOutline = true): string {
  if (typeof checkout === 'boolean') return String(checkout)
  const { depth, tags, submodules, lfs, sparse, merge } = checkout
  return JSON.stringify([depth?.value ?? 1, tags, submodules, lfs, sparse.map(({ value }) => value), merge])
}
