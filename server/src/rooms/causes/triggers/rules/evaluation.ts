import type { Event } from '@signalbox/contracts/event'
import { type BoundValue, type Budget, bindValue, createBudget } from '@signalbox/pipeline/expressions'
import { type ChangeFacts, describeChange, namesOfRef } from '@signalbox/pipeline/facts'
import type { Effort } from '@signalbox/pipeline/patterns'

export interface Limits {
  /** What the triggers of one team may cost together for one event: nobody can hold up the others. */
  readonly budget: Budget
  /** The same for patterns. */
  readonly effort: Effort
}

/** What the patterns and expressions of a trigger are held against an event with. */
export interface Evaluation extends Limits {
  /** The event, made ready once and only if some trigger has an expression. */
  readonly event: () => BoundValue
  /** What is known of the run that it would start, likewise. */
  readonly run: () => BoundValue
}

/** Steps, see `expressionLimits.cost`: some tenths of a second at worst. */
const TEAM_STEPS = 500_000

/** Places of patterns times characters: about as long. Twenty thousand paths are held against a few patterns many times over. */
const TEAM_PLACES = 20_000_000

/** What may be spent on evaluations: of one event, or of all that one request asks for. */
export function createLimits(): Limits {
  return { budget: createBudget(TEAM_STEPS), effort: { left: TEAM_PLACES } }
}

/** Evaluations of one event, by the team whose triggers they are for. */
export function evaluationsOf(event: Event): (teamPath: string) => Evaluation {
  const known = new Map<string, Evaluation>()
  const bound = bindings(event)
  return (teamPath) => {
    const made = known.get(teamPath) ?? { ...bound, ...createLimits() }
    known.set(teamPath, made)
    return made
  }
}

/** The evaluation of one event at the expense of what several share. */
export function evaluationWith(event: Event, limits: Limits): Evaluation {
  return { ...bindings(event), ...limits }
}

function bindings(event: Event): Omit<Evaluation, keyof Limits> {
  return { event: once(() => bindValue(event)), run: once(() => bindValue(describeChange(changeOf(event)))) }
}

function once(bind: () => BoundValue): () => BoundValue {
  let bound: BoundValue | undefined
  return () => {
    bound ??= bind()
    return bound
  }
}

/** A run of the event would be of this. */
function changeOf({ repository, ref, branch, after, pull_request: pullRequest }: Event): ChangeFacts {
  const number = pullRequest?.number ?? null
  return {
    id: null,
    cause: 'event',
    repository: repository.full_name,
    ref,
    ...namesOfRef(ref, branch, number),
    commit: after,
    pullRequest: number,
    baseRef: pullRequest?.base.ref ?? null,
    headRef: pullRequest?.head.ref ?? null,
  }
}
