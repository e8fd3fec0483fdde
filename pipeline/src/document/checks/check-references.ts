import { formatReference, parseTemplate } from '../../outputs/index.ts'
import { fillIn, type Layout, type StepLayout } from '../matrix/index.ts'
import type { FinalOutputOutline, Outline, Placed, TaskOutline } from '../outline/index.ts'
import type { ProblemList } from '../problem.ts'
import { checkCondition } from './check-condition.ts'
import type { DocumentOrder } from './check-order.ts'
import { type Mention, type Reader, TaskFinder } from './task-finder.ts'

/** The problems of a document, and its warnings. */
export interface Findings {
  readonly problems: ProblemList
  readonly warnings: ProblemList
}

/** Checks everything that looks at what ran earlier: output references, artifacts, conditions, final outputs. */
export function checkReferences(outline: Outline, layout: Layout, order: DocumentOrder, findings: Findings): void {
  const { problems } = findings
  const finder = new TaskFinder(layout, order, problems)
  for (const step of layout.steps) {
    checkCondition({ step, task: undefined, at: null }, step.step.condition, finder, problems)
    for (const task of step.step.tasks) checkTask(step, task, finder, findings)
  }
  for (const output of outline.finalOutputs) checkFinalOutput(output, finder, problems)
}

function checkTask(step: StepLayout, task: TaskOutline, finder: TaskFinder, findings: Findings): void {
  const { problems, warnings } = findings
  const reader = { step, task, at: null }
  checkCondition(reader, task.condition, finder, problems)
  for (const needed of task.needsArtifacts) checkArtifacts(reader, needed, finder, problems)
  for (const value of [...task.env.values(), ...task.inputs.values()]) {
    if (!value.value.includes('$')) continue
    // A value that the matrix changes has to be checked in each of its combinations.
    const places = value.value.includes('${{') ? [...(step.combinations ?? [null]).keys()] : [null]
    for (const at of places) checkValue({ step, task, at }, value, finder, findings)
  }
  if (task.script !== undefined) warnAboutScript(task.script, warnings)
}

function checkValue(reader: Reader, value: Placed<string>, finder: TaskFinder, findings: Findings): void {
  const { problems, warnings } = findings
  const { combinations, step } = reader.step
  // A matrix that cannot be written out has been reported.
  if (step.matrix !== undefined && combinations === null) return
  const filled = fillIn(value.value, combinations?.[reader.at ?? 0] ?? null)
  for (const message of filled.problems) problems.add('invalid_template', value.directive, value, message)
  const { template, problems: wrong } = parseTemplate(filled.text)
  for (const problem of wrong) problems.add('invalid_reference', value.directive, value, problem.message)
  for (const part of template) {
    if (typeof part === 'string') continue
    const mention = { directive: value.directive, at: value, text: formatReference(part) }
    const found = finder.output(reader, part, mention)
    if (found === undefined) continue
    const producer = finder.step(part.step)
    if (producer === undefined || producer === reader.step || producer.step.when[0]?.value !== 'failure') continue
    const message = `\`${mention.text}\`: step ${part.step} runs only after a failure, so that this may be empty`
    warnings.add('may_not_have_run', value.directive, value, message)
  }
}

function checkArtifacts(reader: Reader, needed: Placed<string>, finder: TaskFinder, problems: ProblemList): void {
  const [step, name] = needed.value.split('.')
  if (step === undefined || name === undefined || !/^[\w-]+\.[\w-]+$/.test(needed.value)) return
  const mention = { directive: needed.directive, at: needed, text: needed.value }
  const found = finder.task(reader, step, name, mention)
  if (found === undefined || found.directives.has('artifacts')) return
  const message = `\`${needed.value}\` keeps no artifacts: add them there, artifacts: { paths: [dist] }`
  problems.add('unknown_artifacts', needed.directive, needed, message)
}

/** Final outputs are made when all is over: order does not matter, but nothing that is masked may be shown. */
function checkFinalOutput({ template: text }: FinalOutputOutline, finder: TaskFinder, problems: ProblemList): void {
  if (text === undefined || !text.value.includes('$steps.')) return
  const { template, problems: wrong } = parseTemplate(text.value)
  for (const problem of wrong) problems.add('invalid_reference', text.directive, text, problem.message)
  for (const part of template) {
    if (typeof part === 'string') continue
    const mention: Mention = { directive: text.directive, at: text, text: formatReference(part) }
    if (!finder.output(null, part, mention)?.sensitive) continue
    const message = `\`${mention.text}\` is sensitive and may not be shown: write a second output that is not`
    problems.add('sensitive_final_output', text.directive, text, message)
  }
}

function warnAboutScript(script: Placed<string>, warnings: ProblemList): void {
  if (!script.value.includes('$steps.')) return
  for (const part of parseTemplate(script.value).template) {
    if (typeof part === 'string') continue
    const message = `\`${formatReference(part)}\` is not replaced in a script: give it a name in env and use that`
    warnings.add('reference_in_script', script.directive, script, message)
    return
  }
}
