import type { Event, EventKind } from '@signalbox/contracts/event'
import type { ConditionTrace } from '@signalbox/contracts/events'
import { evaluateCondition } from '@signalbox/pipeline/expressions'
import type { Effort } from '@signalbox/pipeline/patterns'
import { decidePaths, refCondition } from './change-conditions.ts'
import { findCommand, firstLineOf } from './commands.ts'
import type { CompiledTrigger } from './compile-trigger.ts'
import type { Evaluation } from './evaluation.ts'
import { describeOtherName, findOtherName } from './other-names.ts'
import { commandCondition, commenterCondition, draftCondition, labelsCondition } from './pull-request-conditions.ts'
import { skipCondition } from './skip-ci.ts'
import { type MatchContext, sourceCondition } from './source-condition.ts'
import { cut, listed } from './trace-text.ts'
import { describeSeen } from './values-seen.ts'

export interface Match {
  readonly matched: boolean
  /** The first condition that did not hold. */
  readonly firstFailed: ConditionTrace['condition'] | null
  readonly conditions: readonly ConditionTrace[]
  /** The trigger matched only because the list of changed files is not complete; the whole list may decide otherwise. */
  readonly pathsUndecided: boolean
  /** The match stands only until the provider has said whether the author of the comment may write. */
  readonly membershipUndecided: boolean
  /** The command of the comment, such as `/retest`; `/cancel` asks to cancel what this trigger started. */
  readonly command: string | null
}

/** The actions of a trigger that names none: people expect no run for labels, assignments and edits. */
export const DEFAULT_ACTIONS: Readonly<Partial<Record<EventKind, readonly string[]>>> = {
  pull_request: ['opened', 'reopened', 'synchronized'],
  pull_request_comment: ['created'],
  pull_request_review: ['approved'],
  merge_group: ['checks_requested'],
  deployment_status: ['success'],
  release: ['published'],
}

/**
 * Whether a trigger starts for an event. Conditions are checked in the order in which a person would check them, the cheap
 * ones first. Changed files and `if` are evaluated only when every condition before holds; the cost of a match does not
 * depend on other triggers.
 */
export function matchTrigger(
  compiled: CompiledTrigger,
  event: Event,
  evaluation: Evaluation,
  context: MatchContext,
): Match {
  const command = commandOf(compiled, event)
  const commenter = commenterCondition(compiled, event, evaluation.effort, context.membership)
  const conditions = [
    ...originConditions(compiled, event, context, evaluation.effort),
    eventCondition(compiled, event),
    actionCondition(compiled, event),
    refCondition(compiled, event, evaluation.effort),
    draftCondition(compiled, event),
    labelsCondition(compiled, event, evaluation.effort),
    commandCondition(compiled, event, command),
    commenter?.trace,
  ].filter((condition) => condition !== undefined)
  // Most triggers fail earlier, so the commits of a push are read only here.
  const skipped = holds(conditions) ? skipCondition(compiled, event) : undefined
  if (skipped) conditions.push(skipped)
  let pathsUndecided = false
  if (compiled.paths) {
    const paths = holds(conditions)
      ? decidePaths(compiled, event, evaluation.effort, context.pathsUnknownBecause)
      : undefined
    conditions.push(paths?.trace ?? notLookedAt('paths', listed(compiled.trigger.paths)))
    pathsUndecided = paths?.undecided ?? false
  }
  if (compiled.condition) conditions.push(ifCondition(compiled, event, holds(conditions) ? evaluation : undefined))
  const failed = conditions.find((condition) => condition.passed === false)
  if (failed && evaluation.effort.left < 0) failed.note ??= tooMuch(compiled)
  const matched = failed === undefined
  return {
    matched,
    firstFailed: failed?.condition ?? null,
    conditions,
    pathsUndecided: matched && pathsUndecided,
    membershipUndecided: matched && commenter?.undecided === true,
    command: matched ? command : null,
  }
}

function tooMuch({ trigger }: CompiledTrigger): string {
  return `Comparing the patterns of ${trigger.teamPath} with this event takes too long.`
}

function holds(conditions: readonly ConditionTrace[]): boolean {
  return conditions.every((condition) => condition.passed)
}

function notLookedAt(condition: ConditionTrace['condition'], expected: string): ConditionTrace {
  return { condition, expected, seen: null, passed: null }
}

/** An entry of a manifest has no conditions of repository and source, because it only sees events of its own. */
function originConditions(
  compiled: CompiledTrigger,
  event: Event,
  context: MatchContext,
  effort: Effort,
): readonly (ConditionTrace | undefined)[] {
  const { trigger, repositories } = compiled
  const enabled: ConditionTrace | undefined = trigger.enabled
    ? undefined
    : { condition: 'enabled', expected: 'true', seen: 'false', passed: false }
  if (!repositories) return [enabled]
  const { full_name: fullName } = event.repository
  const fits = repositories.matches(fullName, effort)
  const { current = fullName, others = [] } = context.otherNames ?? {}
  const named = fits ? undefined : findOtherName(compiled, fullName, others, effort)
  const repository: ConditionTrace = {
    condition: 'repository',
    expected: listed(trigger.repositories),
    seen: fullName,
    passed: fits || named !== undefined,
    ...(named === undefined ? {} : { note: describeOtherName(named, current) }),
  }
  return [enabled, sourceCondition(compiled, context), repository]
}

function eventCondition({ trigger }: CompiledTrigger, event: Event): ConditionTrace {
  const kinds: readonly string[] = trigger.events
  return {
    condition: 'event',
    expected: listed(trigger.events),
    seen: event.kind,
    passed: kinds.includes(event.kind),
  }
}

function actionCondition({ trigger }: CompiledTrigger, event: Event): ConditionTrace | undefined {
  const wanted = trigger.actions.length > 0 ? trigger.actions : DEFAULT_ACTIONS[event.kind]
  if (!wanted) return undefined
  return {
    condition: 'action',
    expected: listed(wanted),
    seen: event.action,
    passed: wanted.includes(event.action),
    ...(trigger.actions.length === 0 ? { note: 'The trigger names no actions; these are the usual ones.' } : {}),
  }
}

/** Only a new comment gives a command, so that each comment counts once. */
function commandOf({ trigger }: CompiledTrigger, event: Event): string | null {
  if (event.kind !== 'pull_request_comment' || event.action !== 'created' || trigger.commands.length === 0) return null
  return findCommand(trigger.commands, firstLineOf(event.comment?.body ?? ''))
}

function ifCondition(
  { condition, trigger }: CompiledTrigger,
  event: Event,
  evaluation: Evaluation | undefined,
): ConditionTrace {
  const base = { condition: 'if', expected: trigger.condition ?? '' } as const
  if (evaluation === undefined || !condition) return { ...base, seen: null, passed: null }
  const { budget } = evaluation
  const result = evaluateCondition(condition, { event: evaluation.event() }, budget)
  const values = describeSeen(condition, event)
  const withValues = (problem: string) => (values === undefined ? problem : `${problem} ${values}`)
  if (result.ok) {
    return {
      ...base,
      seen: String(result.value),
      passed: result.value,
      ...(values === undefined ? {} : { note: values }),
    }
  }
  const problem =
    budget.left < 0
      ? `The condition cannot be evaluated: the expressions of ${trigger.teamPath} take more than ${budget.steps} steps for this event.`
      : `The condition cannot be evaluated: ${ended(cut(result.message))}`
  return { ...base, seen: null, passed: false, note: withValues(problem) }
}

function ended(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`
}
