import { alongside } from '#platform/database'
import { type CallOrigin, type HeldPermission, noteCaller } from '#platform/http'
import type { Foreseen, PlannedCall, Planner, Rehearsed } from '#platform/planning'
import type { Means } from '../means.ts'
import { Rehearsal, signalIn } from './read-signal.ts'

export interface RehearsedWrite extends Rehearsed {
  /** What the write asked for, and the caller held. */
  readonly held: readonly HeldPermission[]
}

export interface Rehearsing {
  readonly planner: Planner
  readonly planId: string
  readonly call: PlannedCall
}

/**
 * Does the write as the caller and rolls it back. So it is judged by its own route, in every respect: what that would answer
 * as a problem is thrown. A write that cannot be rolled back whole is asked what it would do instead.
 */
export async function rehearse(means: Means, origin: CallOrigin, rehearsing: Rehearsing): Promise<RehearsedWrite> {
  const noted = noteCaller(origin.caller)
  const as = { ...origin, caller: noted.caller }
  const { planner, call } = rehearsing
  const deeds = planner.isAsked ? [] : await rollBack(means, as, rehearsing)
  // Asked after the write was judged: what is refused is refused by the write itself.
  const held = planner.isAsked ? undefined : noted.held()
  const asked = await askPlanner(means, planner.isAsked ? as : origin, planner, call)
  const foreseen = await foresee(means, planner.isAsked ? as : origin, rehearsing)
  return { call, deeds, asked, foreseen, held: held ?? noted.held() }
}

/** The answer to the question of the planner; undefined where it has none. */
export async function askPlanner(
  { calls }: Means,
  origin: CallOrigin,
  planner: Planner,
  call: PlannedCall,
): Promise<unknown> {
  const question = planner.ask?.(call)
  return question && (await calls.call(question.operation, question.parts, origin)).body
}

/** What the house sees. In place of its digest stands a mark that is of this plan alone, and that nobody can guess. */
export async function foresee(
  { sealer }: Means,
  origin: CallOrigin,
  { planner, planId, call }: Rehearsing,
): Promise<Foreseen | undefined> {
  const foreseen = await planner.foresee?.(origin, call)
  if (foreseen?.digest === undefined) return foreseen
  return { ...foreseen, digest: sealer.mark(foreseen.digest, `plan:${planId}:foreseen`) }
}

async function rollBack(
  means: Means,
  origin: CallOrigin,
  { planner, planId, call }: Rehearsing,
): Promise<Rehearsed['deeds']> {
  let deeds: Rehearsed['deeds'] = []
  const refuse = (): never => {
    throw new Rehearsal()
  }
  const rider = {
    isRehearsal: true as const,
    async ride(tx: Parameters<Means['audit']['listDeeds']>[0]) {
      deeds = await means.audit.listDeeds(tx, planId)
      refuse()
    },
    statements: [{ text: 'select 1', values: [], follow: refuse }],
  }
  const via = { ...origin.via, plan_id: planId }
  try {
    await alongside(rider, () => means.calls.call(planner.operation, call, { ...origin, via }))
  } catch (error) {
    if (signalIn(error) instanceof Rehearsal) return deeds
    throw error
  }
  // It came to its end without a transaction: there was nothing to do.
  return []
}
