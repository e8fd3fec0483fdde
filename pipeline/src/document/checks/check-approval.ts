import {
  APPROVAL_OUTPUTS,
  type ApprovalOutline,
  type FieldOutline,
  millisecondsOf,
  type Outline,
} from '../outline/index.ts'
import type { ProblemList } from '../problem.ts'

/** Finds approvals that nobody could give, and fields that nobody could fill in. */
export function checkApprovals(outline: Outline, problems: ProblemList, warnings: ProblemList): void {
  for (const { approval } of outline.steps) {
    if (approval === undefined) continue
    checkApprovers(approval, problems, warnings)
    checkFields(approval, problems)
    if (approval.remindAfter !== undefined) {
      const message = 'nobody is notified yet: the fact approval.reminder is told, and the run shows when it is due'
      warnings.add('without_effect', approval.remindAfter.directive, approval.remindAfter, message)
    }
    const timeout = millisecondsOf(approval.timeout)
    const reminder = millisecondsOf(approval.remindAfter)
    if (timeout !== undefined && reminder !== undefined && reminder >= timeout && approval.remindAfter !== undefined) {
      const message = `nobody is reminded, for the approval ends after ${approval.timeout?.value}: write a shorter time`
      problems.add('invalid_value', approval.remindAfter.directive, approval.remindAfter, message)
    }
  }
}

function checkApprovers(approval: ApprovalOutline, problems: ProblemList, warnings: ProblemList): void {
  const seen = new Set<string>()
  for (const approver of approval.approvers) {
    if (seen.has(approver.value)) {
      warnings.add(
        'without_effect',
        approver.directive,
        approver,
        `\`${approver.value}\` stands here twice: remove one`,
      )
    }
    seen.add(approver.value)
  }
  const { required } = approval
  const single = [...seen].every((approver) => /^(user|service_account):/.test(approver))
  if (required === undefined || !single || seen.size === 0 || required.value <= seen.size) return
  const message = `${required.value} approvals are required, but only ${seen.size} may decide: lower it, or name more approvers`
  problems.add('invalid_value', required.directive, required, message)
}

function checkFields(approval: ApprovalOutline, problems: ProblemList): void {
  const seen = new Set<string>(APPROVAL_OUTPUTS)
  for (const field of approval.fields) {
    const { name } = field
    if (name !== undefined && seen.has(name.value)) {
      const what = APPROVAL_OUTPUTS.includes(name.value)
        ? 'every approval has an output of this name'
        : 'there is such a field already'
      problems.add('duplicate_name', name.directive, name, `\`${name.value}\`: ${what}; give this one another name`)
    }
    if (name !== undefined) seen.add(name.value)
    checkField(field, problems)
  }
}

function checkField(field: FieldOutline, problems: ProblemList): void {
  const [first] = field.options
  if (field.type === 'choice' && first === undefined) {
    const message = 'a choice needs something to choose from: add options: [blue, green]'
    problems.add('missing_directive', `${field.directive}.options`, field, message)
  }
  if (field.type !== undefined && field.type !== 'choice' && first !== undefined) {
    const message = `\`options\` belong to a choice, and this is a ${field.type}: write type: choice, or leave them out`
    problems.add('conflicting_directives', first.directive, first, message)
  }
  const given = field.default
  if (given === undefined) return
  const options = field.type === 'boolean' ? ['true', 'false'] : field.options.map((option) => option.value)
  if (options.length === 0 || options.includes(given.value)) return
  const message = `${JSON.stringify(given.value)} is not among ${options.slice(0, 10).join(', ')}: write one of them`
  problems.add('invalid_value', given.directive, given, message)
}
