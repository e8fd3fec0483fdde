import type { Queryable } from '#platform/database'
import type { Requirement } from '#rooms/catalog/profiles'
import type { Means } from '../means.ts'
import { explainHolder, type QueueJudgement } from '../rules/explain-queue.ts'
import { countLeased } from '../store/count-runs.ts'

export interface Waiting {
  /** Of an attempt. */
  readonly step?: string
  readonly scope: string
  readonly requirement: Requirement & { readonly runner?: string }
}

/**
 * The runners that could take it now, the reason of each other runner, and the places of the runners that meet all
 * else. Under an emergency the emergency is the reason, whatever the runners say.
 */
export async function judgeQueue(means: Means, db: Queryable, waiting: Waiting): Promise<QueueJudgement> {
  const leased = await countLeased(db)
  const pinned = waiting.requirement.runner
  const runners = (await means.runners.list(db)).filter(({ id }) => pinned === undefined || id === pinned)
  const states = runners.map((runner) => means.runners.stateOf(runner, leased.get(runner.id) ?? 0))
  const { scope } = waiting
  const need = { scope, requirement: waiting.requirement }
  const able = new Set(
    means.runners.judge(
      need,
      states.map((state) => ({ ...state, free: 1 })),
    ).eligible,
  )
  const counted = runners.filter(({ id }) => able.has(id))
  const places = {
    runners: counted.length,
    taken: counted.reduce((sum, { id }) => sum + (leased.get(id) ?? 0), 0),
    total: counted.reduce((sum, { capacity }) => sum + capacity, 0),
  }
  const judged = means.runners.judge(need, states)
  const holds = pinned === undefined ? undefined : explainHolder(runners[0]?.name, waiting.step, judged.reason)
  const judgement = { ...judged, places, reason: holds ?? judged.reason }
  const emergency = (await means.knowledge.snapshot()).emergencyOn(scope)
  if (!emergency) return judgement
  const { reason, declaredBy } = emergency
  const sentence = `An emergency holds in ${scope}, declared by ${declaredBy}: ${reason.replace(/[.]*$/, '.')}`
  return { ...judgement, eligible: [], reason: sentence, places: { runners: 0, taken: 0, total: 0 } }
}
