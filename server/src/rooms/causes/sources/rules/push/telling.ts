import type { Evidence, Finding } from '@signalbox/contracts/http'
import type { PushFinding, PushOutcome } from '@signalbox/contracts/sources'

/** A part of an explanation: of a rule, an event, a delivery, or of what is missing. */
export interface Telling {
  readonly outcome: PushOutcome
  readonly findings: readonly PushFinding[]
  readonly whatToDo: readonly Finding[]
}

/** What others wrote, beside a sentence of ours. */
export type Quoted = Pick<PushFinding, 'rule' | 'expected' | 'seen' | 'told'>

/** Empty texts tell nothing. */
export function find(
  code: string,
  sentence: string,
  evidence: readonly Evidence[],
  { rule, expected, seen, told }: { readonly [K in keyof Quoted]?: Quoted[K] | null } = {},
): PushFinding {
  return {
    code,
    sentence,
    evidence: [...evidence],
    ...(rule ? { rule } : {}),
    ...(expected ? { expected } : {}),
    ...(seen ? { seen } : {}),
    ...(told ? { told } : {}),
  }
}

/** From the best for whoever pushed to the worst. */
const RANKS: readonly PushOutcome[] = ['started', 'held', 'waiting', 'duplicate', 'refused', 'nothing', 'not_heard']

export function bestOf(outcomes: readonly PushOutcome[]): PushOutcome {
  return RANKS.find((rank) => outcomes.includes(rank)) ?? 'not_heard'
}

/** The one with the best outcome first; else in their order. */
export function byOutcome<T extends { readonly outcome: PushOutcome }>(items: readonly T[]): readonly T[] {
  return items.toSorted((one, other) => RANKS.indexOf(one.outcome) - RANKS.indexOf(other.outcome))
}

/** The same advice once, with the evidence of the first. */
export function uniteAdvice(advice: readonly Finding[]): Finding[] {
  return [...new Map(advice.toReversed().map((each) => [each.sentence, each])).values()].toReversed()
}

/** A sentence may hold the name of a team or trigger: those that the rules of names allow, and no others. */
const NAME = /^[a-z0-9][a-z0-9_-]*(?:\/[a-z0-9][a-z0-9_-]*){0,9}$/

export function isOwnName(text: string): boolean {
  return text.length <= 600 && NAME.test(text)
}

const REPOSITORY = /^[A-Za-z0-9._~-]+(?:\/[A-Za-z0-9._~-]+)+$/

/** The override of a repository, by its name; a name that could hold a sentence is no evidence. */
export function overrideOf(repository: string): readonly Evidence[] {
  const isPlain = repository.length <= 200 && REPOSITORY.test(repository)
  return isPlain ? [{ kind: 'override', id: repository }] : []
}
