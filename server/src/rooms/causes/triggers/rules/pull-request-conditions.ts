import { type Event, isAboutPullRequest } from '@signalbox/contracts/event'
import type { ConditionTrace } from '@signalbox/contracts/events'
import type { Effort } from '@signalbox/pipeline/patterns'
import { firstLineOf } from './commands.ts'
import type { Membership } from './commenters.ts'
import { DEFAULT_COMMENTERS } from './commenters.ts'
import type { CompiledTrigger } from './compile-trigger.ts'
import { cut, listed, shortList } from './trace-text.ts'

export function draftCondition({ trigger }: CompiledTrigger, event: Event): ConditionTrace | undefined {
  if (trigger.draft === 'any' || !isAboutPullRequest(event.kind)) return undefined
  const draft = event.pull_request?.draft ?? null
  const base = {
    condition: 'draft',
    expected: trigger.draft === 'only' ? 'a draft' : 'no draft',
    seen: draft === null ? 'unknown' : draft ? 'a draft' : 'no draft',
    passed: (draft === true) === (trigger.draft === 'only'),
  } as const
  if (draft !== null) return base
  return { ...base, note: 'The provider does not say whether it is a draft; it counts as none.' }
}

export function labelsCondition(
  { trigger, labels }: CompiledTrigger,
  event: Event,
  effort: Effort,
): ConditionTrace | undefined {
  if (!labels || !isAboutPullRequest(event.kind)) return undefined
  const given = event.pull_request?.labels ?? []
  const { passed, label, decidedBy } = labels(given, effort)
  const base = {
    condition: 'labels',
    expected: listed(trigger.labels),
    seen: given.length === 0 ? 'no labels' : shortList(given),
    passed,
  } as const
  if (passed || label === null) return base
  return { ...base, note: `${decidedBy} leaves out what is labelled ${cut(label)}.` }
}

/** Null: none of the trigger's commands, or a comment that is not new. */
export function commandCondition(
  { trigger }: CompiledTrigger,
  event: Event,
  command: string | null,
): ConditionTrace | undefined {
  if (trigger.commands.length === 0 || event.kind !== 'pull_request_comment') return undefined
  const line = firstLineOf(event.comment?.body ?? '')
  const base = {
    condition: 'command',
    expected: listed(trigger.commands),
    seen: line === null ? null : cut(line),
    passed: command !== null,
  } as const
  if (event.action === 'created') return base
  return { ...base, note: 'Commands count in new comments only.' }
}

export interface CommenterCondition {
  readonly trace: ConditionTrace
  /** The condition holds only until the provider has said whether the author may write. */
  readonly undecided: boolean
}

export function commenterCondition(
  { trigger, commenters }: CompiledTrigger,
  event: Event,
  effort: Effort,
  membership: Membership | undefined,
): CommenterCondition | undefined {
  const reviewed = event.kind === 'pull_request_review'
  if (!commenters || !(reviewed || event.kind === 'pull_request_comment')) return undefined
  // Comments that give no command are anybody's.
  if (!reviewed && trigger.commenters.length === 0 && trigger.commands.length === 0) return undefined
  const { passed, note, undecided = false } = commenters(event, effort, membership)
  const usual =
    trigger.commenters.length > 0
      ? undefined
      : `The trigger names no commenters; ${reviewed ? 'for reviews' : 'with commands'} it is members.`
  const notes = [note, usual].filter((each) => each !== undefined)
  const trace: ConditionTrace = {
    condition: 'commenter',
    expected: listed(trigger.commenters.length === 0 ? DEFAULT_COMMENTERS : trigger.commenters),
    seen: event.comment?.author?.login ?? null,
    passed,
    ...(notes.length === 0 ? {} : { note: notes.join(' ') }),
  }
  return { trace, undecided }
}
