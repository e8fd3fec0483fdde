import type { Queryable } from '#platform/database'
import type { Knowledge } from '#rooms/catalog/knowledge'
import type { Judgement, Runners } from '#rooms/catalog/runners'
import { readRequirement } from '../rules/stored-json.ts'
import { countLeased } from '../store/list-runs.ts'

export interface JudgeNeeds {
  readonly runners: Pick<Runners, 'list' | 'stateOf' | 'judge'>
  readonly knowledge: Pick<Knowledge, 'snapshot'>
}

export interface Waiting {
  readonly scope: string
  readonly requirement: unknown
}

/** Which runners could take it now, and why each other cannot; under an emergency that, whatever the runners say. */
export async function judgeQueue(needs: JudgeNeeds, db: Queryable, waiting: Waiting): Promise<Judgement> {
  const leased = await countLeased(db)
  const runners = await needs.runners.list(db)
  const states = runners.map((runner) => needs.runners.stateOf(runner, leased.get(runner.id) ?? 0))
  const { scope } = waiting
  const judgement = needs.runners.judge({ scope, requirement: readRequirement(waiting.requirement) }, states)
  const emergency = (await needs.knowledge.snapshot()).emergencyOn(scope)
  if (!emergency) return judgement
  const { reason, declaredBy } = emergency
  const sentence = `An emergency holds in ${scope}, declared by ${declaredBy}: ${reason.replace(/[.]*$/, '.')}`
  return { ...judgement, eligible: [], reason: sentence }
}
