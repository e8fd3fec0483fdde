import type { TriggerTrace } from '@signalbox/contracts/events'
import type { Kit } from '#platform/room'
import type { Override } from '#rooms/causes/overrides'
import type { TriggerMatch } from '#rooms/causes/triggers'
import type { EventMeans } from '../index.ts'
import { describeNoMatch, isFromFork, matchOverride, type OverrideMatch } from '../rules/index.ts'
import type { PlanRequest } from './plan-event.ts'
import { HELD, type PlannedMatches } from './plan-matches.ts'
import { tryStart } from './start-run.ts'
import { type TracedOutcome, traceMatch } from './trace-plan.ts'

/** Whether an override decides alone about an event; else what the trace says of one that does not apply. */
export type OverrideDecision =
  | { readonly decides: true; readonly planned: PlannedMatches }
  | { readonly decides: false; readonly traces: readonly TriggerTrace[] }

/** What the override of the repository starts that a source vouches for, the oldest of them, and which triggers it outranks. */
export async function planOverride(
  kit: Kit,
  needs: EventMeans,
  request: PlanRequest,
  eventId: string,
  matches: readonly TriggerMatch[],
): Promise<OverrideDecision> {
  const { event, context, receivedAt } = request
  const overrides = (await needs.overrides.finder()).listLive(event.repository.full_name, receivedAt)
  const unfit: TriggerTrace[] = []
  let override: Override | undefined
  for (const each of overrides) {
    const fault = needs.overrides.whyNotVouched(each, context) ?? (await whyNotPosted(needs, request, each, matches))
    if (fault === undefined) {
      override = each
      break
    }
    unfit.push(traceUnfit(each, context.sourceId, fault))
  }
  if (!override) return { decides: false, traces: unfit }
  const own = await decide(kit, needs, request, eventId, override)
  const instead = own.matched
    ? `The repository has an override: ${override.pipeline} runs instead.`
    : `The repository has an override, which outranks this. ${describeNoMatch(event)}`
  const outranked = matches.map((match) =>
    traceMatch('service_trigger', match, {
      outcome: match.matched ? 'outranked' : 'not_matched',
      reason: match.matched ? instead : null,
      runId: null,
    }),
  )
  return { decides: true, planned: { ...own.planned, traces: [...own.planned.traces, ...unfit, ...outranked] } }
}

function traceUnfit(override: Override, sourceId: string | null, reason: string): TriggerTrace {
  const seen = sourceId ?? 'a posted event'
  const unfit = { condition: 'source', expected: UNFIT, seen, passed: false } as const
  return traceOverride(override, { matched: false, firstFailed: 'source', conditions: [unfit] }, { ...NO_RUN, reason })
}

const UNFIT = 'a source that speaks for the team of the override and that its owner may change'
const NO_RUN = { outcome: 'not_matched', runId: null } as const

/** No source says who may decide about the repository of a posted event; those whose triggers are set aside do. */
async function whyNotPosted(
  needs: EventMeans,
  { context, poster }: PlanRequest,
  override: Override,
  matches: readonly TriggerMatch[],
): Promise<string | undefined> {
  if (context.sourceId !== null) return undefined
  const unvouched = await needs.overrides.whyNotVouchedByAny(override)
  if (unvouched !== undefined) return unvouched
  if (poster?.can('run.start', override.teamPath) === false) {
    return `It does not apply: whoever posted the event may not start runs of ${override.teamPath}.`
  }
  if (await maySetAside(needs, override, matches)) return undefined
  return `It does not apply: ${override.owner.name}, who wrote it, may not override for the teams of all triggers that match a posted event.`
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
): Promise<{ readonly matched: boolean; readonly planned: PlannedMatches }> {
  const match = matchOverride(request.event)
  const trace = (outcome: TracedOutcome) => traceOverride(override, match, outcome)
  const nothing = { starts: [], cancels: [], refused: 0, deferred: [] }
  if (!match.matched) {
    needs.metrics.evaluated('not_matched')
    const traces = [trace({ ...NO_RUN, reason: describeNoMatch(request.event) })]
    return { matched: false, planned: { ...nothing, traces } }
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
    const traces = [trace({ outcome: 'refused', reason: start.refusal, runId: null })]
    return { matched: true, planned: { ...nothing, refused: 1, traces } }
  }
  needs.metrics.evaluated('started')
  const held = isFromFork(request.event)
  const outcome = { outcome: held ? 'held' : 'started', reason: held ? HELD : null, runId: start.run.id } as const
  const starts = [{ starter: 'override', run: start.run }]
  return { matched: true, planned: { ...nothing, starts, traces: [trace(outcome)] } }
}

function traceOverride(
  { pipeline, teamPath }: Override,
  { matched, firstFailed, conditions }: OverrideMatch,
  { outcome, reason, runId }: TracedOutcome,
): TriggerTrace {
  return {
    layer: 'override',
    trigger_id: null,
    name: pipeline,
    team_path: teamPath,
    pipeline,
    matched,
    first_failed: firstFailed,
    conditions: [...conditions],
    outcome,
    reason,
    run_id: runId,
  }
}
