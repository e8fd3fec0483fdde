import { compileCondition, type Expression, NO_CONDITION } from '../../expressions/index.ts'
import type { PlacedText } from '../outline/index.ts'
import type { ProblemCode, ProblemList } from '../problem.ts'
import { nearest } from '../suggestion.ts'
import type { Mention, Reader, TaskFinder } from './task-finder.ts'

/** The names that an `if` may use. */
export const CONDITION_NAMES = ['run', 'event', 'variables', 'steps', 'matrix']
const PARTS_OF_TASK = ['status', 'exit_code', 'outputs']

/** An `if` must be CEL, and may use the matrix and everything that is complete before. */
export function checkCondition(
  reader: Reader,
  condition: PlacedText | undefined,
  finder: TaskFinder,
  problems: ProblemList,
): void {
  if (condition === undefined) return
  const { directive } = condition
  const compiled = compileCondition(condition.value, { identifiers: CONDITION_NAMES })
  if (!compiled.ok) {
    for (const problem of compiled.problems) {
      const column = condition.firstColumn === undefined ? condition.column : condition.firstColumn + problem.column - 1
      const message = `the condition cannot be used: ${problem.message}`
      problems.add('invalid_expression', directive, { line: condition.line, column }, message)
    }
    return
  }
  if (isText(compiled.expression)) {
    problems.add('invalid_expression', directive, condition, `the condition cannot be used: ${NO_CONDITION}`)
  }
  for (const path of compiled.expression.references) {
    const mention = { directive, at: condition, text: path.join('.') }
    if (path[0] === 'matrix') checkMatrixPath(reader, path[1], mention, problems)
    if (path[0] === 'steps') checkStepsPath(reader, path, mention, { finder, problems })
  }
}

/** Whether it is the value of a variable, a status, an output: a text, even where it reads true. */
function isText({ path = [] }: Expression): boolean {
  const [root, , keyword, , part] = path
  if (root === 'variables' || root === 'matrix') return path.length === 2
  if (root !== 'steps') return false
  return (keyword === 'status' && path.length === 3) || (part === 'outputs' && path.length === 6) || part === 'status'
}

function checkMatrixPath(reader: Reader, axis: string | undefined, mention: Mention, problems: ProblemList): void {
  const report = (code: ProblemCode, what: string) =>
    problems.add(code, mention.directive, mention.at, `\`${mention.text}\`: ${what}`)
  const { combinations, step } = reader.step
  if (reader.task === undefined) {
    report('invalid_reference', 'the step is one, whatever its matrix; write the condition on its tasks')
  } else if (combinations === null) {
    if (step.matrix === undefined) report('invalid_reference', 'the step has no matrix')
  } else if (axis !== undefined) {
    const known = Object.keys(combinations[0] ?? {})
    if (known.includes(axis)) return
    const near = nearest(axis, known)
    report(
      'unknown_axis',
      `the matrix has no \`${axis}\`; ${near === undefined ? `it has ${known.join(', ')}` : `did you mean \`${near}\`?`}`,
    )
  }
}

function checkStepsPath(
  reader: Reader,
  path: readonly string[],
  whole: Mention,
  { finder, problems }: { readonly finder: TaskFinder; readonly problems: ProblemList },
): void {
  const [, step, keyword, task, part, output] = path
  if (step === undefined) return
  // The parts behind the output, or behind the status, are not judged here.
  const mention = { ...whole, text: path.slice(0, 6).join('.') }
  const report = (code: ProblemCode, what: string) =>
    problems.add(code, mention.directive, mention.at, `\`${mention.text}\` ${what}`)
  if (keyword !== undefined && keyword !== 'status' && keyword !== 'tasks') {
    report('invalid_reference', 'does not exist: a step has status and tasks')
  } else if (keyword !== 'tasks' || task === undefined) {
    finder.precedes(reader, step, mention)
  } else {
    const target = finder.step(step)
    const named = target?.names.get(task)
    if (part === 'outputs' && output !== undefined) {
      if (finder.output(reader, { step, task, output }, mention)?.sensitive) {
        report('sensitive_condition', 'is sensitive and may not decide a condition: write a second output that is not')
      }
    } else if (finder.task(reader, step, task, mention) !== undefined) {
      if (part !== undefined && !PARTS_OF_TASK.includes(part)) {
        report('invalid_reference', 'does not exist: a task has status, exit_code and outputs')
      }
    }
    if (target === undefined || named === undefined || named.instance !== null || target.combinations === null) return
    const instance = target.instances.get(named.task)?.[0]?.name
    report(
      'invalid_reference',
      `has a matrix: name one of its instances, such as steps["${step}"].tasks["${instance}"], or look at the status of the step`,
    )
  }
}
