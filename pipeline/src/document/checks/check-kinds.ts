import { describeTaskTypes, TASK_TYPES } from '../../tasks/index.ts'
import type { Outline, StepOutline, TaskOutline } from '../outline/index.ts'
import type { ProblemList } from '../problem.ts'

/** Directives of a step that say how tasks run, with what to do instead where people decide. */
const NOT_OF_APPROVALS: Readonly<Record<string, string>> = {
  matrix: 'one decision is one step; leave it out',
  workspace: 'a decision has no files; leave it out',
  profile: 'no runner is needed for a decision; leave it out',
  scope: 'a decision runs nowhere; write it on the step that comes after',
  timeout: 'write it inside approval, where it says how long people have',
  ignore_failure: 'an approval fails closed: a rejection ends the run whatever a step says, so leave it out',
}

/** Checks combinations: kinds of steps and tasks, and directives that contradict each other. */
export function checkKinds(outline: Outline, problems: ProblemList, warnings: ProblemList): void {
  for (const step of outline.steps) {
    checkStep(step, problems)
    checkWhen(step, problems, warnings)
    for (const task of step.tasks) if (task.approval === undefined) checkTask(task, problems)
  }
}

function checkStep(step: StepOutline, problems: ProblemList): void {
  const { directive, directives } = step
  const approval = directives.get('approval')?.key
  if (approval === undefined) {
    if (directives.has('tasks')) return
    const message =
      'the step has nothing to do: add `tasks`, a list such as - { name: unit, run: npm test }, or `approval`'
    problems.add('missing_directive', `${directive}.tasks`, step, message)
    return
  }
  if (directives.has('tasks')) {
    const message =
      'a step has tasks or an approval, not both: give the approval a step of its own, and let this one depend on it'
    problems.add('conflicting_directives', `${directive}.approval`, approval, message)
    return
  }
  for (const [name, { key: at }] of directives) {
    const instead = Object.hasOwn(NOT_OF_APPROVALS, name) ? NOT_OF_APPROVALS[name] : undefined
    if (instead === undefined) continue
    problems.add('conflicting_directives', `${directive}.${name}`, at, `\`${name}\` on an approval: ${instead}`)
  }
}

function checkWhen(step: StepOutline, problems: ProblemList, warnings: ProblemList): void {
  const [first, second] = step.when
  if (first === undefined) return
  if (second !== undefined) {
    const message = '`when`, `always` and `on_failure` say when the step starts: keep one of them'
    problems.add('conflicting_directives', second.directive, second, message)
  }
  // A list that cannot be read has been reported.
  const dependsOn = step.directives.get('depends_on')?.value
  if (dependsOn !== undefined && (dependsOn.kind !== 'list' || dependsOn.items.length > 0)) return
  if (first.value === 'failure') {
    const message = 'the step depends on nothing that could fail, so that it would never start: add depends_on'
    problems.add('conflicting_directives', first.directive, first, message)
  }
  if (first.value === 'always') {
    const message = 'the step depends on nothing, so that it starts at once: add depends_on to let it come last'
    warnings.add('without_effect', first.directive, first, message)
  }
}

function checkTask(task: TaskOutline, problems: ProblemList): void {
  const { directive, directives, types } = task
  const [type, second] = types
  if (second !== undefined) {
    const message = `a task is of one kind: keep one of ${types.map((one) => one.directive).join(', ')}`
    const at = directives.get(second.directive)?.key ?? task
    problems.add('conflicting_directives', `${directive}.${second.directive}`, at, message)
    return
  }
  if (type === undefined) {
    const message = `the task has nothing to do: add ${describeTaskTypes()}`
    problems.add('missing_directive', directive, task, message)
    return
  }
  for (const [name, { key: at }] of directives) {
    const owner = TASK_TYPES.find((other) => Object.hasOwn(other.directives, name))
    if (owner !== undefined && owner !== type) {
      const message = `\`${name}\` belongs to a task with \`${owner.directive}\`, and this one has \`${type.directive}\`: leave it out`
      problems.add('conflicting_directives', `${directive}.${name}`, at, message)
    } else if (type.refuses.directives.includes(name)) {
      const message = `\`${name}\` means nothing beside \`${type.directive}\`: ${type.refuses.because}`
      problems.add('conflicting_directives', `${directive}.${name}`, at, message)
    }
  }
  if (type.withoutExitCode !== null && task.retry?.exitCodes !== undefined) {
    const at = directives.get('retry')?.key ?? task
    problems.add('conflicting_directives', `${directive}.retry.exit_codes`, at, type.withoutExitCode)
  }
  checkContainer(task, problems)
}

function checkContainer({ container, directives, directive }: TaskOutline, problems: ProblemList): void {
  const { network, services } = container
  if (network?.value === 'none' && services.length > 0) {
    const message = 'without a network the task cannot reach its services: leave one of the two out'
    problems.add('conflicting_directives', `${directive}.services`, directives.get('services')?.key ?? network, message)
  }
  const seen = new Set<string>()
  for (const { name } of services) {
    if (name !== undefined && seen.has(name.value)) {
      const message = `there is a service \`${name.value}\` already: give this one another name`
      problems.add('duplicate_name', name.directive, name, message)
    }
    if (name !== undefined) seen.add(name.value)
  }
}
