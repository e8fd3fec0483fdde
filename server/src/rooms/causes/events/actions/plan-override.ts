import type { TriggerTrace } from '@signalbox/contracts/events'
import type { Kit } from '#platform/room'
import type { Override } from '#rooms/causes/overrides'
import type { TriggerMatch } from '#rooms/causes/triggers'
import type { EventMeans } from '../index.ts'
import { isFromFork, matchOverride, overrideApplies } from '../rules/index.ts'
import type { PlanRequest } from './plan-event.ts'
import { HELD, type PlannedMatches } from './plan-matches.ts'
import { tryStart } from './start-run.ts'
import { type TracedOutcome, traceMatch } from './trace-plan.ts'

/** What the repository's override starts; undefined where there is none whose owner may use the source. */
export async function planOverride(
  kit: Kit,
  needs: EventMeans,
  request: PlanRequest,
  eventId: string,
  matches: readonly TriggerMatch[],
): Promise<PlannedMatches | undefined> {
  const { event, context, receivedAt } = request
  const override = (await needs.overrides.finder()).find(event.repository.full_name, receivedAt)
  if (!override || !overrideApplies(override, context)) return undefined
  // No source says who may decide about the repository of a posted event; those whose triggers are set aside do.
  if (context.sourceId === null && !(await maySetAside(needs, override, matches))) return undefined
  const own = await decide(kit, needs, request, eventId, override)
  const outranked = matches.map((match) =>
    traceMatch('service_trigger', match, {
      outcome: match.matched ? 'outranked' : 'not_matched',
      reason: match.matched ? `The repository has an override: ${override.pipeline} runs instead.` : null,
      runId: null,
    }),
  )
  return { ...own, traces: [...own.traces, ...outranked] }
}

async function maySetAside(
  needs: EventMeans,
  { owner: { kind, id } }: Override,
  matches: readonly TriggerMatch[],
): Promise<boolean> {
  const owner = (await needs.access.snapshot()).subject(kind, id)
  const teams = matches.flatMap(({ matched, trigger }) => (matched ? [trigger.teamPath] : []))
  return teams.every((team) => owner?.can('override.write', team) === true)
}

async function decide(
  kit: Kit,
  needs: EventMeans,
  request: PlanRequest,
  eventId: string,
  override: Override,
): Promise<PlannedMatches> {
  const match = matchOverride(request.event)
  const trace = ({ outcome, reason, runId }: TracedOutcome): TriggerTrace => ({
    layer: 'override',
    trigger_id: null,
    name: override.pipeline,
    team_path: override.pipeline.slice(0, override.pipeline.lastIndexOf('/')),
    matched: match.matched,
    first_failed: match.firstFailed,
    conditions: [...match.conditions],
    outcome,
    reason,
    run_id: runId,
  })
  const nothing = { starts: [], cancels: [], refused: 0, deferred: [] }
  if (!match.matched) {
    needs.metrics.evaluated('not_matched')
    return { ...nothing, traces: [trace({ outcome: 'not_matched', reason: null, runId: null })] }
  }
  const start = await tryStart(kit, needs, request, eventId, {
    pipeline: override.pipeline,
    scope: override.scope,
    owner: override.owner,
    triggerId: undefined,
    manifestTrigger: undefined,
    variables: {},
    concurrency: null,
  })
  if ('refusal' in start) {
    needs.metrics.evaluated('refused')
    return { ...nothing, refused: 1, traces: [trace({ outcome: 'refused', reason: start.refusal, runId: null })] }
  }
  needs.metrics.evaluated('started')
  const held = isFromFork(request.event)
  const outcome = { outcome: held ? 'held' : 'started', reason: held ? HELD : null, runId: start.run.id } as const
  return { ...nothing, starts: [{ starter: 'override', run: start.run }], traces: [trace(outcome)] }
}
