import type { Principal } from '@signalbox/contracts/http'
import type { ON_CONFLICT } from '@signalbox/contracts/runs'
import type { RunFacts } from '@signalbox/pipeline/facts'
import type { Sealer } from '#platform/crypto'
import { execute, type Queryable, type Statement } from '#platform/database'
import { isInstant } from '#platform/time'
import type { PipelineForRun } from '#rooms/catalog/pipelines'
import type { QueueingKit } from '../means.ts'
import { ancestorsOf, groupOf } from '../rules/group.ts'
import { factsOfRow, type PullRequestRefs, refsOf } from '../rules/run-facts.ts'
import type { ParentAttempt } from '../rules/run-in-flight.ts'
import { sealVariables } from '../rules/sealed-outputs.ts'
import { readRecord } from '../rules/stored-json.ts'
import { insertQueued, type QueuedRow } from '../store/new-runs.ts'
import { insertEventBlocks } from '../store/run-events.ts'
import { NOWHERE, packEvents } from './keep-events.ts'
import { settling } from './settle-runs.ts'

/** A pipeline at the version that a run pins; `Pipelines.lookup` and `resolveForRun` answer it. */
export type RunnablePipeline = Omit<
  PipelineForRun,
  'profile' | 'secrets' | 'references' | 'faults' | 'checksOut' | 'timeoutMs'
>

export interface NewRun {
  /** Where the caller must know it before; else one is made. */
  readonly id?: string
  readonly pipeline: RunnablePipeline
  readonly scope: string
  readonly cause: 'event' | 'request' | 'rerun' | 'schedule' | 'external' | 'pipeline'
  readonly initiator: Principal
  /** Override those of the pipeline. */
  readonly variables?: Readonly<Record<string, string>>
  /** Likewise, and nobody sees their values: they are sealed, masked in logs, and no condition looks at them. */
  readonly secretVariables?: Readonly<Record<string, string>>
  /** Instead of the pipeline's. */
  readonly priority?: number | undefined
  /** The attempt that it is made for. */
  readonly parent?: ParentAttempt | undefined
  /** How many runs are above it. */
  readonly depth?: number
  /** Groups of the runs above it: they wait for it, so it must not wait for them, nor end them. */
  readonly groupsAbove?: readonly { readonly id: string; readonly teamPath: string; readonly group: string }[]
  /** In wire shape: what conditions see as `event`. */
  readonly event?: unknown
  readonly eventId?: string | undefined
  readonly triggerId?: string | undefined
  readonly deliveryRecordId?: string | undefined
  readonly scheduleId?: string | undefined
  /** The instant that the schedule's expression names; with `scheduleId`. */
  readonly scheduledAt?: Date | undefined
  readonly externalTriggerId?: string | undefined
  /** Team that hears of it; left out: that of the pipeline. */
  readonly runTeamPath?: string | undefined
  readonly rerunOf?: string | undefined
  /** Of a rerun, what is done again: everything (default), what did not succeed, or `rerunStep` and what follows it. */
  readonly rerunMode?: 'whole' | 'failed' | 'step' | undefined
  readonly rerunStep?: string | undefined
  readonly repository?: string | undefined
  readonly cloneUrl?: string | undefined
  readonly ref?: string | undefined
  readonly branch?: string | undefined
  readonly commitSha?: string | undefined
  readonly checkoutCredentialRef?: string | undefined
  /** The author of the code may not change the repository: the run and its reruns get no secrets. */
  readonly untrusted?: boolean
  /** The run stays queued until a member approves it. */
  readonly hold?: { readonly kind: 'fork_approval'; readonly pullRequest: number } | undefined
  readonly pullRequest?: number | undefined
  /** Name of the entry in the repository's manifest that starts it, where no stored trigger does. */
  readonly manifestTrigger?: string | undefined
  /** The record of the delivery that was replayed. */
  readonly replayOf?: string | undefined
  /** A further note about the start, in one sentence. */
  readonly note?: string | undefined
  /** Of the trigger, instead of the pipeline's; null: none, whatever the pipeline says. */
  readonly concurrency?: RunConcurrency | null | undefined
}

/** Runs of one group of the pipeline's team, and what a new one means for those that have not finished. */
export interface RunConcurrency {
  readonly group: string
  readonly onConflict: (typeof ON_CONFLICT)[number]
  /** Commits known to lie before the run's own: where its branch stood before, and the commits that came with it. */
  readonly ancestors: readonly string[]
  /** RFC 3339; null where the provider does not say. */
  readonly occurredAt: string | null
  /** It begins whatever others of the group do, and those that queue wait for it. */
  readonly atOnce?: true
}

/**
 * Queues runs in the caller's transaction and answers their ids in the order given. The caller has validated and
 * authorized them. Dispatchers hear of the runs when the transaction commits.
 */
export async function queueRuns(means: QueueingKit, db: Queryable, runs: readonly NewRun[]): Promise<string[]> {
  if (runs.length === 0) return []
  const identified = runs.map((run) => ({ ...run, id: run.id ?? means.ids.next() }))
  for (const statement of queueingRuns(means, identified)) await execute(db, statement)
  return identified.map((run) => run.id)
}

type IdentifiedRun = NewRun & { readonly id: string }

/** The group of a trigger wins over that of the pipeline. */
function inGroup(run: IdentifiedRun): IdentifiedRun {
  const { pipeline, event, commitSha } = run
  if (run.concurrency !== undefined || pipeline.concurrency === null) return run
  const variables = { ...pipeline.variables, ...run.variables }
  const { note, ...group } = groupOf(pipeline.concurrency, {
    identifier: pipeline.identifier,
    facts: factsOfNew(run),
    event,
    variables,
  })
  const above = run.groupsAbove?.find((one) => one.teamPath === pipeline.teamPath && one.group === group.group)
  if (above) return noted(run, `The run ${above.id}, which wants it, is of the group ${group.group} already.`)
  return { ...noted(run, note), concurrency: { ...group, ancestors: ancestorsOf(event, commitSha), occurredAt: null } }
}

function noted(run: IdentifiedRun, note: string | undefined): IdentifiedRun {
  return note === undefined ? run : { ...run, note: run.note === undefined ? note : `${run.note} ${note}` }
}

function factsOfNew(run: IdentifiedRun): RunFacts {
  const { baseRef, headRef } = pullRequestRefs(run)
  return factsOfRow({
    id: run.id,
    pipeline_identifier: run.pipeline.identifier,
    scope: run.scope,
    cause: run.cause,
    repository: run.repository ?? null,
    ref: run.ref ?? null,
    branch: run.branch ?? null,
    commit_sha: run.commitSha ?? null,
    pull_request: pullRequestOf(run) ?? null,
    base_ref: baseRef,
    head_ref: headRef,
    scheduled_at: run.scheduledAt ?? null,
  })
}

function pullRequestOf({ pullRequest, hold }: NewRun): number | undefined {
  return pullRequest ?? hold?.pullRequest
}

function pullRequestRefs(run: NewRun): PullRequestRefs {
  return pullRequestOf(run) === undefined ? { baseRef: null, headRef: null } : refsOf(run.event)
}

/**
 * The statements that queue runs with known ids and decide what the runs mean for others: for a transaction that is
 * sent at once. The last statements lock the groups of the runs until the end: put them as late as possible.
 */
export function queueingRuns(means: QueueingKit, given: readonly IdentifiedRun[]): readonly Statement[] {
  if (given.length === 0) return []
  const runs = given.map(inGroup)
  const { places, blocks } = packEvents(
    means.ids,
    means.eventTexts,
    runs.map((run) => run.event),
  )
  const queuedAt = means.clock.now()
  const rows = runs.map((run, at) => ({ ...rowOf(means.sealer, run, queuedAt), ...(places[at] ?? NOWHERE) }))
  const ids = runs.filter(mattersToOthers).map((run) => run.id)
  const kept = blocks.length === 0 ? [] : [insertEventBlocks(blocks)]
  return [...kept, insertQueued(rows), ...settling(means, { ids, arrived: true })]
}

/** A rerun of an old commit is no newer commit of its pull request. */
function mattersToOthers(run: NewRun): boolean {
  return (!!run.concurrency && !run.concurrency.atOnce) || (run.cause === 'event' && pullRequestOf(run) !== undefined)
}

/** All columns that a run has when it is queued: every row names each of them, so that one statement fits every run. */
function rowOf(sealer: Sealer, run: IdentifiedRun, queuedAt: Date): QueuedRow {
  const { pipeline, initiator, concurrency, parent } = run
  const { executor, labels } = pipeline.requirement
  const timeoutMs = pipeline.queueTimeoutMs ?? undefined
  const pullRequest = pullRequestOf(run)
  const { baseRef, headRef } = pullRequestRefs(run)
  const ancestors = concurrency?.ancestors ?? (pullRequest === undefined ? undefined : headBefore(run))
  return {
    id: run.id,
    team_path: pipeline.teamPath,
    pipeline_id: pipeline.pipelineId,
    pipeline_version_id: pipeline.versionId,
    pipeline_identifier: pipeline.identifier,
    pipeline_name: pipeline.name,
    pipeline_version: pipeline.version,
    scope: run.scope,
    requirement: { executor, labels: [...labels].sort() },
    profile_environment: pipeline.profileEnvironment,
    profiles: orDefault(pipeline.profiles),
    image: pipeline.image ?? undefined,
    resources: orDefault(pipeline.resources),
    cause: run.cause,
    event_id: run.eventId,
    trigger_id: run.triggerId,
    schedule_id: run.scheduleId,
    scheduled_at: run.scheduledAt,
    external_trigger_id: run.externalTriggerId,
    run_team_path: run.runTeamPath,
    manifest_trigger: run.manifestTrigger,
    delivery_record_id: run.deliveryRecordId,
    replay_of: run.replayOf,
    rerun_of: run.rerunOf,
    rerun_mode: run.rerunOf === undefined ? undefined : (run.rerunMode ?? 'whole'),
    rerun_step: run.rerunStep,
    parent_run_id: parent?.runId,
    parent_step: parent?.step,
    parent_task: parent?.task,
    parent_attempt: parent?.attempt,
    depth: run.depth,
    initiator_kind: initiator.kind,
    initiator_id: initiator.id,
    initiator_name: initiator.name,
    variables: without({ ...pipeline.variables, ...run.variables }, run.secretVariables),
    sealed_variables: run.secretVariables && sealVariables(sealer, run.id, run.secretVariables),
    repository: run.repository,
    clone_url: run.cloneUrl,
    ref: run.ref,
    branch: run.branch,
    commit_sha: run.commitSha,
    ancestors: ancestors && [...ancestors],
    checkout_credential_ref: run.checkoutCredentialRef,
    untrusted: run.untrusted || undefined,
    withheld: run.hold?.kind,
    pull_request: pullRequest,
    base_ref: baseRef ?? undefined,
    head_ref: headRef ?? undefined,
    concurrency_group: concurrency?.group,
    on_conflict: concurrency?.onConflict,
    occurred_at: pullRequest === undefined && !concurrency ? undefined : occurredAt(run),
    note: run.note,
    priority: (run.priority ?? pipeline.priority) || undefined,
    queue_timeout_ms: timeoutMs,
    queued_at: queuedAt,
    queue_deadline_at: timeoutMs === undefined ? undefined : new Date(queuedAt.getTime() + timeoutMs),
  }
}

function orDefault<Values extends object>(values: Values): Values | undefined {
  return Object.keys(values).length > 0 ? values : undefined
}

function without(
  values: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  if (!others) return values
  return Object.fromEntries(Object.entries(values).filter(([name]) => !Object.hasOwn(others, name)))
}

/** Where the pull request stood before, where its event says so. */
function headBefore({ event, commitSha }: NewRun): readonly string[] | undefined {
  const before = readRecord(event)['before']
  return typeof before === 'string' && before !== commitSha ? [before] : undefined
}

function occurredAt({ concurrency, event }: NewRun): string | undefined {
  const said = concurrency?.occurredAt ?? readRecord(event)['occurred_at']
  return typeof said === 'string' && isInstant(said) ? said : undefined
}
