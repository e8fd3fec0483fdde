import { parseImageReference } from '../../images/index.ts'
import { fillIn, type Layout, type StepLayout } from '../matrix/index.ts'
import type { Placed, TaskOutline } from '../outline/index.ts'
import type { ProblemList } from '../problem.ts'
import { shorten } from '../shorten.ts'
import { matrixVariable } from './check-matrix.ts'

/** Finds the fault of a text once the values of the matrix are in it; undefined: none. */
type Fault = (text: string) => string | undefined

/** Texts that values of the matrix go into, besides those that outputs go into as well. */
export function checkTexts(layout: Layout, problems: ProblemList, warnings: ProblemList): void {
  for (const step of layout.steps) {
    for (const task of step.step.tasks) {
      for (const [text, fault] of textsOf(task)) checkText(step, text, fault, problems)
      if (task.script !== undefined) warnAboutScript(step, task.script, warnings)
    }
  }
}

function textsOf(task: TaskOutline): [Placed<string> | undefined, Fault][] {
  const { container, artifacts, cache } = task
  return [
    [container.image, imageFault],
    ...container.services.flatMap((service): [Placed<string> | undefined, Fault][] => [
      [service.image, imageFault],
      ...[...service.env.values()].map((value): [Placed<string>, Fault] => [value, outputFault]),
    ]),
    [artifacts?.name, artifactNameFault],
    ...[...(artifacts?.paths ?? []), ...(cache?.paths ?? []), ...(cache?.files ?? [])].map(
      (path): [Placed<string>, Fault] => [path, pathFault],
    ),
    ...[cache?.key, ...(cache?.fallback ?? [])].map((key): [Placed<string> | undefined, Fault] => [key, outputFault]),
  ]
}

function checkText(step: StepLayout, placed: Placed<string> | undefined, fault: Fault, problems: ProblemList): void {
  if (placed === undefined) return
  // A matrix that cannot be written out has been reported.
  if (step.step.matrix !== undefined && step.combinations === null) return
  const combinations = placed.value.includes('${{') ? (step.combinations ?? [null]) : [null]
  for (const combination of combinations) {
    const filled = fillIn(placed.value, combination)
    for (const message of filled.problems) problems.add('invalid_template', placed.directive, placed, message)
    const message = filled.problems.length > 0 ? undefined : fault(filled.text)
    if (message === undefined) continue
    problems.add('invalid_value', placed.directive, placed, `${JSON.stringify(shorten(filled.text))} ${message}`)
  }
}

function outputFault(text: string): string | undefined {
  if (!text.includes('$steps.')) return undefined
  return 'names an output, and outputs are replaced in env, inputs and final_outputs alone: pass it through env'
}

function imageFault(text: string): string | undefined {
  const image = parseImageReference(text)
  return 'problem' in image ? (outputFault(text) ?? image.problem) : undefined
}

function artifactNameFault(text: string): string | undefined {
  if (/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/.test(text)) return undefined
  return (
    outputFault(text) ??
    'cannot be a name here: write letters, digits, _, . and -, at most 100 characters, such as site'
  )
}

function pathFault(text: string): string | undefined {
  const parts = text.split(/[/\\]/)
  if (!/^[/\\~]|^[A-Za-z]:/.test(text) && !parts.includes('..') && text.trim() !== '') return undefined
  return 'does not lie in the workspace: write a path from there, without .. in it, such as dist'
}

function warnAboutScript(step: StepLayout, script: Placed<string>, warnings: ProblemList): void {
  const found = /\$\{\{\s*matrix\.([\w-]+)\s*\}\}/.exec(script.value)
  const [text, axis] = found ?? []
  if (text === undefined || axis === undefined) return
  const variable = step.combinations === null ? 'the environment' : `$${matrixVariable(axis)}`
  const message = `\`${text}\` is not replaced in a script: use ${variable}`
  warnings.add('reference_in_script', script.directive, script, message)
}
