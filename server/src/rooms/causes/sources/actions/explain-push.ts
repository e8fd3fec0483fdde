import type { EventTrace } from '@signalbox/contracts/events'
import type { Evidence } from '@signalbox/contracts/http'
import type { ExplainedChange, PushExplanation, PushQuery } from '@signalbox/contracts/sources'
import type { Caller } from '#platform/http'
import { toWireTime } from '#platform/time'
import type { StoredEvent } from '#rooms/causes/events'
import type { Means } from '../means.ts'
import {
  bestOf,
  byOutcome,
  type Delivery,
  explainAnswer,
  explainEvent,
  find,
  type SeenRun,
  type Telling,
  uniteAdvice,
} from '../rules/index.ts'
import { explainTrace } from './explain-trace.ts'
import { findMissed } from './find-missed.ts'
import { findToldChanges, load, type ToldChanges } from './find-told-changes.ts'
import { readSilence } from './read-silence.ts'

/** Records that are told of; more of one change tell the same. */
const MOST_TOLD = 5
const MOST_FINDINGS = 40
const MOST_RUNS = 20

/** Why a push, tag, pull request or delivery started nothing, or what it started, as far as the caller may see it. */
export async function explainPush(means: Means, caller: Caller, query: PushQuery): Promise<PushExplanation> {
  const asked = await findToldChanges(means, caller, query)
  const changes = await tellAll(means, caller, asked)
  const told = byOutcome(changes.flatMap(({ tellings }) => tellings))
  const silence =
    changes.length === 0 && asked.repository !== null
      ? await readSilence(means, { ...asked, repository: asked.repository })
      : undefined
  const all = silence ? [silence] : told
  const outcome = bestOf(all.map((each) => each.outcome))
  // Where something started, what else was refused or matched nothing is no fault.
  const isSettled = outcome === 'started' || outcome === 'held' || outcome === 'duplicate'
  const advising = isSettled ? all.filter((each) => each.outcome === outcome) : all
  const findings = all.flatMap((each) => each.findings)
  return {
    repository: asked.repository,
    outcome,
    findings: findings.slice(0, MOST_FINDINGS),
    what_to_do: uniteAdvice(advising.flatMap(({ whatToDo }) => whatToDo)),
    changes: changes.map(({ change }) => change),
    left_out: sayLeftOut(caller, { asked, changes, cut: Math.max(0, findings.length - MOST_FINDINGS) }),
  }
}

interface ToldChange {
  readonly change: ExplainedChange
  /** Of its answer, and of each of its events. */
  readonly tellings: readonly Telling[]
  readonly hiddenRules: number
}

/** What started something first, then the newest. */
async function tellAll(means: Means, caller: Caller, asked: ToldChanges): Promise<readonly ToldChange[]> {
  const deliveries = asked.deliveries.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, MOST_TOLD)
  const posted = asked.posted.slice(0, MOST_TOLD)
  const told = await Promise.all([
    ...deliveries.map((delivery) => tellDelivery(means, caller, { delivery, asked })),
    ...posted.map((event) => tellPosted(means, caller, event)),
  ])
  return byOutcome(told.map((each) => ({ ...each, outcome: each.change.outcome }))).slice(0, MOST_TOLD)
}

/** A push has status events and checks beside it, which nobody asks about. */
const ASIDE = ['check', 'deployment', 'deployment_status', 'ref']

function rankOf({ runIds, trace }: Delivery): number {
  if (runIds.length > 0) return 0
  return trace.events.length > 0 && trace.events.every(({ kind }) => ASIDE.includes(kind)) ? 2 : 1
}

interface AskedDelivery {
  readonly delivery: Delivery
  readonly asked: ToldChanges
}

async function tellDelivery(means: Means, caller: Caller, { delivery, asked }: AskedDelivery): Promise<ToldChange> {
  const missed = await findMissed(means, [delivery])
  const answer = explainAnswer(delivery, missed.get(delivery.id) ?? null)
  const { id, trace: raw } = await findTelling(means, delivery, asked)
  const { events } = await explainTrace(means, raw, caller)
  const wanted = events.filter((event) => asked.eventIds.has(event.event_id))
  const evidence: readonly Evidence[] = [{ kind: 'delivery', id }]
  const runs = await seeRuns(means, caller, events)
  const hiddenOf = (event: EventTrace): number => {
    const stored = raw.events.find((each) => each.event_id === event.event_id)
    return (stored?.triggers.length ?? 0) - event.triggers.length
  }
  const shown = wanted.length > 0 ? wanted : events
  const tellings = shown.map((trace) => explainEvent({ trace, hiddenRules: hiddenOf(trace), evidence, runs }))
  const [event] = shown
  const outcome =
    delivery.result === 'duplicate' ? 'duplicate' : bestOf([answer, ...tellings].map((one) => one.outcome))
  return {
    change: {
      delivery_id: delivery.id,
      event_id: event?.event_id ?? null,
      source_id: delivery.sourceId,
      received_at: toWireTime(delivery.receivedAt),
      kind: event?.kind ?? null,
      ref: event?.ref ?? delivery.ref,
      commit_sha: delivery.commitSha,
      outcome,
      run_ids: [...delivery.runIds],
    },
    tellings: [answer, ...tellings],
    hiddenRules: shown.reduce((sum, each) => sum + hiddenOf(each), 0),
  }
}

type TellingDelivery = Pick<Delivery, 'id' | 'trace'>

/** What a repetition would have started is told by the delivery that it repeats, and only once. */
async function findTelling(means: Means, delivery: Delivery, asked: ToldChanges): Promise<TellingDelivery> {
  const { duplicateOf: first, trace } = delivery
  if (first === null) return delivery
  if (asked.deliveries.some(({ id }) => id === first)) return { id: first, trace: { ...trace, events: [] } }
  return (await load(means, asked.readable, first)) ?? delivery
}

async function tellPosted(means: Means, caller: Caller, event: StoredEvent): Promise<ToldChange> {
  const { id, sourceId, receivedAt, kind, ref, commitSha, directRunId } = event
  const evidence: readonly Evidence[] = [{ kind: 'event', id }]
  const stored = event.trace
  const explained = stored && (await explainTrace(means, { verification: '', events: [stored] }, caller))
  const trace = explained?.events[0]
  const hiddenRules = trace ? (stored?.triggers.length ?? 0) - trace.triggers.length : 0
  const runs = await seeRuns(means, caller, trace ? [trace] : [])
  const telling: Telling =
    directRunId === null && trace
      ? explainEvent({ trace, hiddenRules, evidence: [], runs })
      : tellDirect(directRunId, evidence)
  const started = trace?.triggers.flatMap(({ run_id: runId }) => runId ?? []) ?? []
  return {
    change: {
      delivery_id: null,
      event_id: id,
      source_id: sourceId,
      received_at: toWireTime(receivedAt),
      kind,
      ref,
      commit_sha: commitSha,
      outcome: telling.outcome,
      run_ids: directRunId === null ? started : [directRunId],
    },
    tellings: [telling],
    hiddenRules,
  }
}

function tellDirect(runId: string | null, evidence: readonly Evidence[]): Telling {
  if (runId === null) return { outcome: 'nothing', findings: [], whatToDo: [] }
  const about: readonly Evidence[] = [{ kind: 'run', id: runId }, ...evidence]
  const sentence = `The event was posted with the pipeline to start, and started run ${runId}.`
  return { outcome: 'started', findings: [find('push.started', sentence, about)], whatToDo: [] }
}

/** Of rules that the caller may see, and of teams whose runs they may see. */
async function seeRuns(
  { runs, database }: Means,
  caller: Caller,
  events: readonly EventTrace[],
): Promise<ReadonlyMap<string, SeenRun>> {
  const ids = events.flatMap(({ triggers }) => triggers.flatMap(({ run_id: id }) => id ?? []))
  const found = await Promise.all(ids.slice(0, MOST_RUNS).map((id) => runs.findStanding(database.kysely, id)))
  return new Map(
    found.flatMap((run) =>
      run && caller.can('run.read', run.teamPath)
        ? [[run.id, { status: run.status, withheld: run.withheld }] as const]
        : [],
    ),
  )
}

interface LeftOut {
  readonly asked: ToldChanges
  readonly changes: readonly ToldChange[]
  readonly cut: number
}

/** What the caller's rights leave out, without a word of what there is; and what was too much. */
function sayLeftOut(caller: Caller, { asked, changes, cut }: LeftOut): string[] {
  const hides = changes.some(({ hiddenRules }) => hiddenRules > 0)
  const lacks = (permission: 'trigger.read' | 'override.read' | 'event.read'): boolean =>
    caller.prefixes(permission).length === 0
  const records = asked.deliveries.length + asked.posted.length
  return [
    ...(hides ? ['Some rules of teams that you may not see.'] : []),
    ...(lacks('trigger.read') ? ['Triggers and entries of manifests: you have trigger.read on no team.'] : []),
    ...(lacks('override.read') ? ['Overrides: you have override.read on no team.'] : []),
    ...(lacks('event.read') ? ['Events that others posted: you have event.read on no team.'] : []),
    ...(records > changes.length ? [`${records - changes.length} further records of the change.`] : []),
    ...(asked.goesOn ? ['Older records: name a commit, or list them with list_deliveries.'] : []),
    ...(cut === 0 ? [] : [`${cut} further findings.`]),
  ]
}
