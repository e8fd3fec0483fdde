import { describeTaskTypes } from '../tasks/index.ts'
import { parseDuration } from './duration.ts'
import type { DocumentLimits } from './limits.ts'
import type { Outline, Placed } from './outline.ts'
import type { ProblemList } from './problem.ts'

/** What the schema cannot say: numbers of steps and tasks, long durations, names that meet, tasks of no or two kinds. */
export function checkValues(outline: Outline, limits: DocumentLimits, problems: ProblemList): void {
  const { steps } = outline
  const overflowing = steps[limits.steps]
  if (overflowing !== undefined) {
    const message = `the pipeline has ${steps.length} steps; at most ${limits.steps} are allowed: join some, or split the pipeline`
    problems.add('too_many_steps', 'steps', overflowing, message)
  }
  const tasks = steps.flatMap((step) => step.tasks)
  const overflowingTask = tasks[limits.tasks]
  if (overflowingTask !== undefined) {
    const message = `the pipeline has ${tasks.length} tasks; at most ${limits.tasks} are allowed: join some, or split the pipeline`
    problems.add('too_many_tasks', 'steps', overflowingTask, message)
  }
  for (const [name, secret] of outline.secrets) {
    if (!outline.variables.has(name)) continue
    const message = `\`${name}\` is a variable already: give one of the two another name`
    problems.add('name_conflict', secret.directive, secret, message)
  }
  const durations = [
    outline.timeout,
    ...steps.map((step) => step.timeout),
    ...tasks.flatMap((task) => [task.timeout, task.retry?.backoff]),
  ]
  for (const duration of durations) checkDuration(duration, problems)
  for (const task of tasks) {
    const [, second] = task.types
    if (task.types.length === 0) {
      const message = `the task has nothing to do: add ${describeTaskTypes()}`
      problems.add('missing_directive', task.directive, task, message)
    } else if (second !== undefined) {
      const message = `a task is of one kind: keep one of ${task.types.map((type) => type.directive).join(', ')}`
      problems.add('invalid_value', `${task.directive}.${second.directive}`, task, message)
    }
  }
}

/** The schema refuses what is no duration at all; zero and the upper limit are looked at here. */
function checkDuration(duration: Placed<string> | undefined, problems: ProblemList): void {
  if (duration === undefined || !/^[\ddhms]+$/.test(duration.value) || parseDuration(duration.value) !== undefined)
    return
  if (!/^(\d+d)?(\d+h)?(\d+m)?(\d+s)?$/.test(duration.value)) return
  const message = `${duration.value} is out of range: write a duration from 1s to 30d`
  problems.add('invalid_value', duration.directive, duration, message)
}
