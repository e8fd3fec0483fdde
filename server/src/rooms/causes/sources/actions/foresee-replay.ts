import type { RequestOrigin } from '#platform/http'
import { digestOf, type Foreseen, type PlannedCall } from '#platform/planning'
import type { Means } from '../means.ts'
import { maySeeRule } from '../rules/index.ts'
import { foreseeEvents } from './replay-delivery.ts'

const HIDDEN = 'Rules that the planner may not see decide about it, too: another person has to approve.'
const UNDECIDED = 'It is not known yet all that it starts: another person has to approve.'

/**
 * What a replay would start by all rules, for its plan. Any hidden rule asks for a person, whether it starts something or
 * not: otherwise the answer would tell which.
 */
export async function foreseeReplay(means: Means, origin: RequestOrigin, { params }: PlannedCall): Promise<Foreseen> {
  const plans = await foreseeEvents(means, origin, params['sourceID'] ?? '', params['deliveryID'] ?? '')
  const rules = plans.flatMap(({ trace }) => trace.triggers)
  const runs = plans.flatMap(({ starts }) => starts.map(({ run }) => run))
  const isHidden = rules.some((rule) => !maySeeRule(rule, origin.caller))
  const isOpen = plans.some(({ pending }) => pending !== null)
  return {
    // The hidden rules that start nothing count as well: with their ids nobody can guess the digest.
    digest: digestOf({
      rules: rules.map(({ layer, trigger_id, name, team_path, pipeline, outcome }) => {
        return { layer, trigger_id, name, team_path, pipeline, outcome }
      }),
      runs: runs.map(({ pipeline: { versionId }, scope, variables = {} }) => ({ versionId, scope, variables })),
      cancels: plans.flatMap(({ cancels }) => cancels.length),
    }),
    starts: isHidden ? [] : runs.map(({ pipeline: { identifier }, scope }) => ({ pipeline: identifier, scope })),
    needsPerson: isHidden ? HIDDEN : isOpen ? UNDECIDED : undefined,
  }
}
