import { LONGEST_DURATION_MS, LONGEST_RETENTION_MS, parseDuration } from '../duration.ts'
import type { DocumentLimits } from '../limits.ts'
import type { Layout } from '../matrix/index.ts'
import type { Outline, Placed, StepOutline, TaskOutline } from '../outline/index.ts'
import type { ProblemList } from '../problem.ts'

/**
 * Checks the rules that the schema cannot say: numbers of steps and tasks, long durations, colliding names. False: its
 * matrices make more of it than is allowed.
 */
export function checkValues(outline: Outline, layout: Layout, limits: DocumentLimits, problems: ProblemList): boolean {
  const { steps } = outline
  const overflowing = steps[limits.steps]
  if (overflowing !== undefined) {
    const message = `the pipeline has ${steps.length} steps; at most ${limits.steps} are allowed: join some, or split the pipeline`
    problems.add('too_many_steps', 'steps', overflowing, message)
  }
  const countIsRight = checkTaskCount(layout, limits, problems)
  const lengthIsRight = checkLength(layout, limits, problems)
  for (const [name, secret] of outline.secrets) {
    if (!outline.variables.has(name)) continue
    const message = `\`${name}\` is a variable already: give one of the two another name`
    problems.add('name_conflict', secret.directive, secret, message)
  }
  for (const duration of [outline.timeout, outline.queueTimeout, ...steps.flatMap(durationsOf)]) {
    checkDuration(duration, problems)
  }
  for (const task of steps.flatMap((step) => step.tasks)) {
    checkDuration(task.artifacts?.retention, problems, LONGEST_RETENTION_MS)
  }
  checkFinalNames(outline, problems)
  return countIsRight && lengthIsRight
}

function checkTaskCount(layout: Layout, limits: DocumentLimits, problems: ProblemList): boolean {
  const counted = layout.steps.flatMap(({ step, combinations }) =>
    step.tasks.map((task) => ({ task, count: combinations?.length ?? 1 })),
  )
  const total = counted.reduce((sum, { count }) => sum + count, 0)
  if (total <= limits.tasks) return true
  let seen = 0
  const overflowing = counted.find(({ count }) => (seen += count) > limits.tasks)
  const matrix = total > counted.length ? ', with every instance of a matrix' : ''
  const message = `the pipeline has ${total} tasks${matrix}; at most ${limits.tasks} are allowed: join some, or split the pipeline`
  if (overflowing !== undefined) problems.add('too_many_tasks', 'steps', overflowing.task, message)
  return false
}

/** Once every instance is written out. Without a matrix the text is as bounded as the document. */
function checkLength({ steps }: Layout, limits: DocumentLimits, problems: ProblemList): boolean {
  let length = 0
  for (const { step, combinations } of steps) {
    if (combinations === null) continue
    length += step.tasks.reduce((sum, task) => sum + lengthOf(task), 0) * combinations.length
    if (length <= limits.graphLength) continue
    reportLength(step, limits, problems)
    return false
  }
  return true
}

function lengthOf(task: TaskOutline): number {
  let length = task.script?.value.length ?? 0
  const { registryCredentials, services } = task.container
  for (const values of [task.env, task.inputs, registryCredentials, ...services.map((service) => service.env)]) {
    for (const [name, { value }] of values) length += name.length + value.length
  }
  return length
}

/** Reports a document that its matrices make too large. */
export function reportLength(step: StepOutline, limits: DocumentLimits, problems: ProblemList): void {
  const message = `the pipeline becomes larger than ${limits.graphLength} characters when each instance of a matrix is written out: move long scripts into files of the repository`
  problems.add('too_large', `${step.directive}.matrix`, step.matrix ?? step, message)
}

function checkFinalNames(outline: Outline, problems: ProblemList): void {
  const lines = new Map<string, number>()
  for (const { name } of outline.finalOutputs) {
    if (name === undefined) continue
    const line = lines.get(name.value)
    if (line === undefined) lines.set(name.value, name.line)
    else {
      const message = `there is a final output \`${name.value}\` in line ${line} already: give this one another name`
      problems.add('duplicate_name', name.directive, name, message)
    }
  }
}

function durationsOf(step: StepOutline): (Placed<string> | undefined)[] {
  const { timeout, approval, tasks } = step
  return [
    timeout,
    approval?.timeout,
    approval?.remindAfter,
    ...tasks.flatMap((task) => [task.timeout, task.retry?.backoff]),
  ]
}

/** The schema refuses invalid durations; zero and the upper limit are checked here. */
function checkDuration(
  duration: Placed<string> | undefined,
  problems: ProblemList,
  longestMs: number = LONGEST_DURATION_MS,
): void {
  if (duration === undefined || !/^[\ddhms]+$/.test(duration.value)) return
  if (parseDuration(duration.value, longestMs) !== undefined) return
  if (!/^(\d+d)?(\d+h)?(\d+m)?(\d+s)?$/.test(duration.value)) return
  const days = Math.round(longestMs / 86_400_000)
  const message = `${duration.value} is out of range: write a duration from 1s to ${days}d`
  problems.add('invalid_value', duration.directive, duration, message)
}
