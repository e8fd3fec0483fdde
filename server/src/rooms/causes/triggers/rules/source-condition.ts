import type { ConditionTrace } from '@signalbox/contracts/events'
import type { Owner } from '@signalbox/contracts/http'
import type { Membership } from './commenters.ts'
import type { CompiledTrigger } from './compile-trigger.ts'
import type { OtherNames } from './other-names.ts'

/** The origin of an event, as triggers need it. */
export interface MatchContext {
  /** Null: posted to /v1/git/events. */
  readonly sourceId: string | null
  /** Whether this owner's triggers may use the source at all. */
  readonly visibleTo: (owner: Owner) => boolean
  /** Whether this owner still may do anything: nobody acts for who is gone, disabled or revoked. Undefined: unknown. */
  readonly acts?: ((owner: Owner) => boolean) | undefined
  /**
   * Whether the source speaks for rules of a team that do not name it. Anybody may own a source and list any repository, and
   * the sender of an event chooses the commit and its address. Undefined: no source sent the event.
   */
  readonly feeds?: ((teamPath: string) => boolean) | undefined
  /** Whether this owner may override what the source's events start. Undefined: no source sent the event. */
  readonly overriddenBy?: ((owner: Owner) => boolean) | undefined
  /** Whether the author of a comment may write, where its delivery does not say. Undefined: nobody was asked. */
  readonly membership?: Membership | undefined
  /** Undefined: the repository of the event has no other name. */
  readonly otherNames?: OtherNames | undefined
  /** Why the list of changed files could not be completed, as a sentence; for the trace. */
  readonly pathsUnknownBecause?: string | undefined
}

/** Undefined: the trigger names no source and takes events of this source. */
export function sourceCondition({ trigger }: CompiledTrigger, context: MatchContext): ConditionTrace | undefined {
  const seen = context.sourceId ?? 'a posted event'
  if (trigger.sourceLostAt !== null) {
    return {
      condition: 'source',
      expected: 'a source that exists',
      seen,
      passed: false,
      note: 'The source of this trigger was deleted; name another one.',
    }
  }
  if (trigger.sourceId !== null && trigger.sourceId !== context.sourceId) {
    return { condition: 'source', expected: trigger.sourceId, seen, passed: false }
  }
  if (!context.visibleTo(trigger.owner)) {
    if (context.acts?.(trigger.owner) === false) {
      return {
        condition: 'source',
        expected: 'an owner of the trigger who may see the source',
        seen,
        passed: false,
        note: `${describeLost(trigger.owner)} Save the trigger again to own it.`,
      }
    }
    return {
      condition: 'source',
      expected: 'a source that the owner of the trigger may see',
      seen,
      passed: false,
      note: `${trigger.owner.name} may not see this source, and it is not shared.`,
    }
  }
  if (trigger.sourceId === null) {
    if (context.feeds?.(trigger.teamPath) !== false) return undefined
    return {
      condition: 'source',
      expected: `a source of ${trigger.teamPath} or a team above it, or a source that was shared by somebody who may start its runs`,
      seen,
      passed: false,
      note: 'Name this source in the trigger to take its events.',
    }
  }
  return { condition: 'source', expected: trigger.sourceId, seen, passed: true }
}

function describeLost({ kind, name }: Owner): string {
  if (kind === 'bootstrap') return 'Its owner, the bootstrap token, was revoked.'
  return `Its owner, ${name}, does not exist any more, or is disabled.`
}
