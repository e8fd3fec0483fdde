import type { ConditionTrace } from '@signalbox/contracts/events'
import type { CompiledTrigger } from './compile-trigger.ts'
import type { TriggerOwner } from './trigger.ts'

/** Where an event came from, as far as triggers care. */
export interface MatchContext {
  /** Null: posted to /v1/git/events. */
  readonly sourceId: string | null
  /** Whether this owner's triggers may use the source at all. */
  readonly visibleTo: (owner: TriggerOwner) => boolean
  /** Why the list of changed files could not be completed, as a sentence; for the trace. */
  readonly pathsUnknownBecause?: string | undefined
}

/** Undefined: the trigger takes events of every source that its owner may see, and this is one. */
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
    return {
      condition: 'source',
      expected: 'a source that the owner of the trigger may see',
      seen,
      passed: false,
      note: `${trigger.owner.name} may not see this source, and it is not shared.`,
    }
  }
  if (trigger.sourceId === null) return undefined
  return { condition: 'source', expected: trigger.sourceId, seen, passed: true }
}
