import type { Event } from '@signalbox/contracts/event'
import {
  CANCEL,
  type CompiledTrigger,
  type Concurrency,
  type Evaluation,
  evaluateConcurrency,
  evaluateVariables,
  evaluationsOf,
  type Match,
  type Matchable,
  type MatchContext,
  matchTrigger,
  NO_VARIABLES,
  type VariablesResult,
} from '../rules/index.ts'

/** The match of one trigger with one event. */
export interface TriggerMatch extends Match {
  /** The trigger's id is null for an entry of a repository's manifest. */
  readonly trigger: Matchable
  /** Values for the run, once matched; a problem when one of them cannot be evaluated. */
  readonly variables: VariablesResult
  /** Which runs it shares a place with, its group evaluated for the event. */
  readonly concurrency: Concurrency | null
  /** Why it may not start anything though it matched: a value that cannot be made, a pipeline out of its reach. */
  readonly refusal: string | null
}

/** Every one of the triggers that are given, in their order, with its trace. */
export function matchEvent(
  triggers: readonly CompiledTrigger[],
  event: Event,
  context: MatchContext,
): readonly TriggerMatch[] {
  const evaluations = evaluationsOf(event)
  return triggers.map((compiled) => matchOne(compiled, event, context, evaluations(compiled.trigger.teamPath)))
}

export function matchOne(
  compiled: CompiledTrigger,
  event: Event,
  context: MatchContext,
  evaluation: Evaluation,
): TriggerMatch {
  const match = matchTrigger(compiled, event, evaluation, context)
  const found = { ...match, trigger: compiled.trigger }
  // A command to cancel starts nothing that would need values.
  if (!match.matched || match.command === CANCEL) {
    return { ...found, variables: NO_VARIABLES, concurrency: null, refusal: null }
  }
  const variables = evaluateVariables(compiled, evaluation)
  const group = evaluateConcurrency(compiled, evaluation)
  const refusal = !variables.ok ? variables.problem : !group.ok ? group.problem : null
  return { ...found, variables, concurrency: group.ok ? group.concurrency : null, refusal }
}
