import type { Event } from '@signalbox/contracts/event'
import { type BoundValue, type Budget, bindValue, createBudget } from '@signalbox/pipeline/expressions'
import { type ChangeFacts, describeChange, namesOfRef } from '@signalbox/pipeline/facts'
import type { Effort } from '@signalbox/pipeline/patterns'

export interface Limits {
  /** The steps that all expressions of one team's triggers may take for one event, so that no team delays others. */
  readonly budget: Budget
  /** The effort that all patterns of one team's triggers may take for one event. */
  readonly effort: Effort
}

/** The values and limits for evaluating a trigger's patterns and expressions for one event. */
export interface Evaluation extends Limits {
  /** The event, made ready once and only if some trigger has an expression. */
  readonly event: () => BoundValue
  /** The known facts of the run that the trigger would start, made ready in the same way. */
  readonly run: () => BoundValue
}

/** Steps, see `expressionLimits.cost`: some tenths of a second at worst. */
const TEAM_STEPS = 500_000

/** Places of patterns times characters: about as long. Twenty thousand paths are held against a few patterns many times over. */
const TEAM_PLACES = 20_000_000

/** The limits of the evaluations of one event, or of all evaluations of one request. */
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

/** The evaluation of one event within limits that several evaluations share. */
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
