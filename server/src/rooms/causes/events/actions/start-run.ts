import type { Event } from '@signalbox/contracts/event'
import type { Owner } from '@signalbox/contracts/http'
import { findAddressFault } from '@signalbox/contracts/repository'
import { findUndeclaredVariables } from '@signalbox/pipeline/facts'
import type { Caller } from '#platform/http'
import type { PipelineForRun } from '#rooms/catalog/pipelines'
import type { Concurrency } from '#rooms/causes/triggers'
import type { NewRun } from '#rooms/execution/runs'
import type { AccessSnapshot } from '#rooms/foundation/access'
import type { Means } from '../means.ts'
import { findRefusal, isFromFork } from '../rules/index.ts'
import type { PlannedRun, PlanRequest, RunRequest } from './event-plan.ts'

/** A run that a rule of any layer wants to start. */
export interface WantedStart {
  readonly pipeline: string
  readonly scope: string
  readonly owner: Owner
  readonly triggerId: string | undefined
  readonly manifestTrigger: string | undefined
  readonly variables: Readonly<Record<string, string>>
  readonly concurrency: Concurrency | null
}

/** The run, or a sentence why it may not start. The owner is authorized anew for each event. */
export async function tryStart(
  means: Means,
  request: PlanRequest,
  eventId: string,
  wanted: WantedStart,
): Promise<{ readonly run: PlannedRun } | { readonly refusal: string }> {
  const { event } = request
  const grants = await means.access.snapshot()
  const owner = grants.subject(wanted.owner.kind, wanted.owner.id)
  const pipeline = await means.pipelines.lookup(wanted.pipeline)
  const fork = isFromFork(event)
  const scope = fork ? await means.teams.resolveScope(means.database.kysely, wanted.scope) : undefined
  const refusal = findRefusal({
    event,
    pipelineName: wanted.pipeline,
    scope: wanted.scope,
    pipeline,
    ownerName: wanted.owner.name,
    ownerIsThere: owner !== undefined,
    ownerMaySee: pipeline !== undefined && owner?.can('pipeline.read', pipeline.teamPath) === true,
    ownerMayStart: pipeline !== undefined && owner?.can('run.start', pipeline.teamPath) === true,
    ownerMayUseScope: owner !== undefined && grants.canUseScope(owner, wanted.scope),
    scopeProtected: fork && scope?.protected !== false,
    posterMayStart: posterMayStart(request, grants, pipeline, wanted.scope),
    commitFault: request.commitFault,
    lacksAddress: pipeline !== undefined && lacksAddress(request, pipeline),
    addressFault: findAddressFault(event.repository.clone_url, means.config.localRepositories),
  })
  if (refusal !== undefined || !pipeline) return { refusal: refusal ?? 'The pipeline does not exist.' }
  const fault = owner && (await findFault(means, owner, pipeline, { who: wanted.owner.name, untrusted: fork }))
  if (fault !== undefined) return { refusal: fault }
  const [stray] = findUndeclaredVariables(pipeline, Object.keys(wanted.variables))
  if (stray) return { refusal: `${stray.name} ${stray.message}.` }
  return {
    run: newRun(means, request, eventId, {
      pipeline,
      scope: wanted.scope,
      triggerId: wanted.triggerId,
      manifestTrigger: wanted.manifestTrigger,
      initiator: wanted.owner,
      variables: wanted.variables,
      concurrency: wanted.concurrency,
    }),
  }
}

const EMPTY = 'The event names no address to clone from: tasks start in an empty folder.'

/** A posted event and a generic one may leave the address out; a provider's delivery is about its files. */
function lacksAddress({ event, deliveryRecordId }: PlanRequest, { checksOut }: PipelineForRun): boolean {
  return checksOut && deliveryRecordId !== null && event.provider !== 'generic' && event.repository.clone_url === null
}

/**
 * The first thing that the pipeline names and this caller may not use: a secret, profile, scope of a step or child
 * pipeline.
 */
export async function findFault(
  means: Means,
  caller: Caller,
  { teamPath, references, faults }: PipelineForRun,
  { who, untrusted }: { readonly who: string; readonly untrusted: boolean },
): Promise<string | undefined> {
  if (references.length === 0) return undefined
  const wanted = { teamPath, references, untrusted, who, quick: true }
  const [fault] = [...faults, ...(await means.runs.findFaults(means.database.kysely, caller, wanted))]
  return fault && `${fault.field}: ${fault.message}`
}

function posterMayStart(
  { poster, event }: PlanRequest,
  grants: AccessSnapshot,
  pipeline: PipelineForRun | undefined,
  scope: string,
): boolean {
  if (poster === null || !pipeline) return true
  return (
    poster.can('run.start', pipeline.teamPath) &&
    grants.canUseScope(poster, scope) &&
    mayTellWhere(poster, event, pipeline)
  )
}

/**
 * The tasks run the files at the address that an event names, with the pipeline's secrets. A poster who names an
 * address therefore needs the right to change the pipeline.
 */
export function mayTellWhere(poster: Caller, { repository }: Event, pipeline: PipelineForRun): boolean {
  return repository.clone_url === null || poster.can('pipeline.write', pipeline.teamPath)
}

export interface RunStart {
  readonly pipeline: PipelineForRun
  readonly scope: string
  readonly triggerId: string | undefined
  readonly manifestTrigger: string | undefined
  readonly initiator: NewRun['initiator']
  readonly variables: Readonly<Record<string, string>>
  readonly concurrency: Concurrency | null
}

/** A run of an event. One of a pull request from a fork is untrusted, and waits until a member approves its commit. */
export function newRun(
  means: Means,
  request: RunRequest,
  eventId: string,
  { concurrency, ...start }: RunStart,
): PlannedRun {
  const { event } = request
  const pullRequest = event.pull_request?.number
  const fork = isFromFork(event)
  return {
    id: means.ids.next(),
    ...start,
    cause: 'event',
    eventId,
    deliveryRecordId: request.deliveryRecordId ?? undefined,
    replayOf: request.replayOf ?? undefined,
    event,
    repository: event.repository.full_name,
    cloneUrl: event.repository.clone_url ?? undefined,
    ref: event.ref ?? undefined,
    branch: event.branch ?? undefined,
    commitSha: event.after ?? undefined,
    checkoutCredentialRef: request.checkoutCredentialRef ?? undefined,
    pullRequest,
    note: start.pipeline.checksOut && event.repository.clone_url === null ? EMPTY : undefined,
    untrusted: fork,
    hold: fork && pullRequest !== undefined ? { kind: 'fork_approval', pullRequest } : undefined,
    concurrency: concurrency
      ? { ...concurrency, ancestors: ancestorsOf(event), occurredAt: event.occurred_at }
      : undefined,
  }
}

/** Commits that are known to lie before the one the event ends at. */
function ancestorsOf({ before, after, commits, forced }: Event): readonly string[] {
  const listed = commits.map((commit) => commit.sha)
  // The commit before a forced push is no ancestor, yet the branch stood there before: to find the newer run, it
  // counts.
  const known = before === null || (forced === true && before === after) ? listed : [before, ...listed]
  return [...new Set(known)].filter((sha) => sha !== after)
}
