import type { ConditionTrace, TriggerTrace } from '@signalbox/contracts/events'
import type { Override } from '#rooms/causes/overrides'
import type { TriggerMatch } from '#rooms/causes/triggers'
import type { Means } from '../means.ts'
import { describeNoMatch, isFromFork, matchOverride, namedOtherwise, type OverrideMatch } from '../rules/index.ts'
import type { PlanRequest } from './event-plan.ts'
import { HELD, type PlannedMatches } from './plan-matches.ts'
import { tryStart } from './start-run.ts'
import { type TracedOutcome, traceMatch } from './trace-plan.ts'

/** Whether an override decides alone about an event, or else the trace of an override that does not apply. */
export type OverrideDecision =
  | { readonly decides: true; readonly planned: PlannedMatches }
  | { readonly decides: false; readonly traces: readonly TriggerTrace[] }

/** The runs of the repository's oldest override that a source vouches for, and the triggers that it outranks. */
export async function planOverride(
  means: Means,
  request: PlanRequest,
  eventId: string,
  matches: readonly TriggerMatch[],
): Promise<OverrideDecision> {
  const { event, context } = request
  const unfit: TriggerTrace[] = []
  let claim: Claim | undefined
  for (const each of await listClaims(means, request)) {
    const { override } = each
    const fault =
      means.overrides.whyNotVouched(override, context) ?? (await whyNotPosted(means, request, override, matches))
    if (fault === undefined) {
      claim = each
      break
    }
    unfit.push(traceUnfit(each, context.sourceId, fault))
  }
  if (!claim) return { decides: false, traces: unfit }
  const { override } = claim
  const own = await decide(means, request, eventId, claim)
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

/** An override of the event's repository. */
interface Claim {
  readonly override: Override
  /** How it comes to be about the repository, where it does not name it by its present name. */
  readonly named: readonly ConditionTrace[]
}

/**
 * Overrides that use the repository's present name come first: the owner of an old name blocks nobody who uses the new
 * one.
 */
async function listClaims(
  means: Means,
  { event, context: { otherNames }, receivedAt }: PlanRequest,
): Promise<readonly Claim[]> {
  const finder = await means.overrides.finder()
  const seen = event.repository.full_name
  const claims: Claim[] = finder.listLive(seen, receivedAt).map((override) => ({ override, named: [] }))
  for (const name of otherNames?.others ?? []) {
    const named = [namedOtherwise(name, seen, otherNames?.current ?? seen)]
    claims.push(...finder.listLive(name, receivedAt).map((override) => ({ override, named })))
  }
  return claims
}

function traceUnfit(claim: Claim, sourceId: string | null, reason: string): TriggerTrace {
  const seen = sourceId ?? 'a posted event'
  const unfit = { condition: 'source', expected: UNFIT, seen, passed: false } as const
  return traceOverride(claim, { matched: false, firstFailed: 'source', conditions: [unfit] }, { ...NO_RUN, reason })
}

const UNFIT = 'a source that speaks for the team of the override and that its owner may change'
const NO_RUN = { outcome: 'not_matched', runId: null } as const

/** No source says who may decide about the repository of a posted event; those whose triggers are set aside do. */
async function whyNotPosted(
  means: Means,
  { context, poster }: PlanRequest,
  override: Override,
  matches: readonly TriggerMatch[],
): Promise<string | undefined> {
  if (context.sourceId !== null) return undefined
  const unvouched = await means.overrides.whyNotVouchedByAny(override)
  if (unvouched !== undefined) return unvouched
  if (poster?.can('run.start', override.teamPath) === false) {
    return `The override does not apply: the poster of the event may not start runs of ${override.teamPath}.`
  }
  if (await maySetAside(means, override, matches)) return undefined
  return `The override does not apply: its author ${override.owner.name} may not override for the teams of all triggers that match a posted event.`
}

async function maySetAside(
  means: Means,
  { owner: { kind, id } }: Override,
  matches: readonly TriggerMatch[],
): Promise<boolean> {
  const owner = (await means.access.snapshot()).subject(kind, id)
  const teams = matches.flatMap(({ matched, trigger }) => (matched ? [trigger.teamPath] : []))
  return teams.every((team) => owner?.can('override.write', team) === true)
}

async function decide(
  means: Means,
  request: PlanRequest,
  eventId: string,
  claim: Claim,
): Promise<{ readonly matched: boolean; readonly planned: PlannedMatches }> {
  const { override } = claim
  const match = matchOverride(request.event)
  const trace = (outcome: TracedOutcome) => traceOverride(claim, match, outcome)
  const nothing = { starts: [], cancels: [], refused: 0, deferred: [] }
  if (!match.matched) {
    means.evaluated('not_matched')
    const traces = [trace({ ...NO_RUN, reason: describeNoMatch(request.event) })]
    return { matched: false, planned: { ...nothing, traces } }
  }
  const start = await tryStart(means, request, eventId, {
    pipeline: override.pipeline,
    scope: override.scope,
    owner: override.owner,
    triggerId: undefined,
    manifestTrigger: undefined,
    variables: {},
    concurrency: null,
  })
  if ('refusal' in start) {
    means.evaluated('refused')
    const traces = [trace({ outcome: 'refused', reason: start.refusal, runId: null })]
    return { matched: true, planned: { ...nothing, refused: 1, traces } }
  }
  means.evaluated('started')
  const held = isFromFork(request.event)
  const outcome = { outcome: held ? 'held' : 'started', reason: held ? HELD : null, runId: start.run.id } as const
  const starts = [{ starter: 'override', run: start.run }]
  return { matched: true, planned: { ...nothing, starts, traces: [trace(outcome)] } }
}

function traceOverride(
  { override: { pipeline, teamPath }, named }: Claim,
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
    conditions: [...named, ...conditions],
    outcome,
    reason,
    run_id: runId,
  }
}
