import { completeEvent, type Event, type EventPullRequest, isAboutPullRequest } from '@signalbox/contracts/event'
import type { Layer, ManifestTrace } from '@signalbox/contracts/events'
import type { OverrideResolution, ResolvedRun } from '@signalbox/contracts/overrides'
import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Override } from '#rooms/causes/overrides'
import type { MatchContext, Matcher, TriggerMatch } from '#rooms/causes/triggers'
import type { Means, RepositoryAccess, RepositoryConnection } from '../means.ts'
import {
  describeNoMatch,
  matchOverride,
  type ResolutionQuestion,
  type ResolvedThrough,
  uniteResolutions,
} from '../rules/index.ts'
import type { PlanRequest } from './event-plan.ts'
import { readManifestOf, withRepository } from './read-repository.ts'
import { tryStart, type WantedStart } from './start-run.ts'

/** A person waits for the answer. */
const READ_MS = 15_000

/**
 * The runs that such an event on that ref would start now, by layers, and the rules of lower layers that are outranked.
 * The answer shows no rule that the caller may not see: overrides need override.read, triggers need trigger.read.
 * Throws forbidden (403) for a caller who may see no override at all.
 */
export async function readResolution(
  means: Means,
  caller: Caller,
  asked: ResolutionQuestion,
): Promise<OverrideResolution> {
  if (caller.prefixes('override.read').length === 0) {
    throw platformProblem('forbidden', 'You need override.read on a team.')
  }
  const event = sampleEvent(asked)
  const connections = await means.above.connectionsOf(caller, event)
  const matcher = await means.triggers.matcher()
  // Without a source events can be posted all the same.
  const through = connections.length > 0 ? connections : [undefined]
  const parts = await Promise.all(
    through.map((connection) => resolveThrough(means, caller, { event, matcher, connection })),
  )
  return { repository: asked.repository, ref: asked.ref, event: asked.event, ...uniteResolutions(parts) }
}

interface Resolved {
  readonly event: Event
  readonly matcher: Matcher
  /** Undefined: no source tells of the event. */
  readonly connection: RepositoryConnection | undefined
}

async function resolveThrough(
  means: Means,
  caller: Caller,
  { event, matcher, connection }: Resolved,
): Promise<ResolvedThrough> {
  const context: MatchContext = connection?.context ?? { sourceId: null, visibleTo: () => true }
  const { entries, manifest } = connection?.access?.readsFiles
    ? await readEntries(means, connection.sourceId, connection.access, event)
    : { entries: [], manifest: null }
  const request: PlanRequest = {
    event,
    matcher,
    context,
    poster: null,
    deliveryRecordId: null,
    replayOf: null,
    readsRepository: false,
    headUnasked: null,
    checkoutCredentialRef: null,
    receivedAt: means.clock.now(),
  }
  const refusalOf: RefusalOf = async (wanted) => {
    const start = await tryStart(means, request, means.ids.next(), wanted)
    const { pipeline, owner } = wanted
    return 'refusal' in start ? means.runs.reasonFor(caller, { pipeline, owner }, start.refusal) : null
  }
  const found = [
    ...entries.map((match) => ['repository_manifest', match] as const),
    ...matcher
      .match(event, context)
      .filter(({ trigger }) => caller.can('trigger.read', trigger.teamPath))
      .map((match) => ['service_trigger', match] as const),
  ]
  const rules: ResolvedRun[] = []
  for (const [layer, match] of found) if (match.matched) rules.push(await resolved(layer, match, refusalOf))
  const finder = await means.overrides.finder()
  const names = [event.repository.full_name, ...(context.otherNames?.others ?? [])]
  const stored = names.flatMap((name) => finder.listLive(name, means.clock.now()))
  const claims = stored.map((override) => ({ override, unfit: means.overrides.whyNotVouched(override, context) }))
  const decides = claims.find(({ unfit }) => unfit === undefined)?.override
  const isSeen = (override: Override): boolean => caller.can('override.read', override.teamPath)
  const unfit = claims.flatMap(({ override, unfit: why }) =>
    why !== undefined && isSeen(override) ? [resolvedOverride(override, why)] : [],
  )
  if (!decides || !isSeen(decides)) return { manifest, overrides: unfit, outranks: false, rules }
  const { pipeline, scope, owner } = decides
  const refusal = matchOverride(event).matched
    ? await refusalOf({ ...PLAIN, pipeline, scope, owner })
    : describeNoMatch(event)
  return { manifest, overrides: [resolvedOverride(decides, refusal), ...unfit], outranks: true, rules }
}

type RefusalOf = (wanted: WantedStart) => Promise<string | null>

function resolvedOverride({ pipeline, scope }: Override, refusal: string | null): ResolvedRun {
  const would_start = refusal === null
  return { layer: 'override', trigger_id: null, name: pipeline, pipeline, scope, would_start, reason: refusal }
}

async function readEntries(
  means: Means,
  sourceId: string,
  access: RepositoryAccess,
  event: Event,
): Promise<{ readonly entries: readonly TriggerMatch[]; readonly manifest: ManifestTrace | null }> {
  const address = { ...access.address, signal: AbortSignal.timeout(READ_MS) }
  const { manifest, trace } = await withRepository(means.git, address, (open) => readManifestOf(means, open, event))
  if (!manifest) return { entries: [], manifest: trace }
  const { teamPath, owner } = access
  const entries = means.triggers.matchManifest(manifest, event, { sourceId, teamPath, owner })
  return { entries, manifest: trace }
}

const PLAIN = { triggerId: undefined, manifestTrigger: undefined, variables: {}, concurrency: null } as const

/** A rule that matches, with why its run may not start all the same, or on what that depends. */
async function resolved(
  layer: Layer,
  { trigger, refusal, pathsUndecided, variables, concurrency }: TriggerMatch,
  refusalOf: RefusalOf,
): Promise<ResolvedRun> {
  const { id, name, pipeline, scope, owner } = trigger
  const given = variables.ok ? variables.values : {}
  const refused = refusal ?? (await refusalOf({ ...PLAIN, pipeline, scope, owner, variables: given, concurrency }))
  const depends = pathsUndecided ? 'The answer depends on the changed files.' : null
  return { layer, trigger_id: id, name, pipeline, scope, would_start: refused === null, reason: refused ?? depends }
}

const ACTIONS: Readonly<Partial<Record<Event['kind'], string>>> = {
  push: 'updated',
  tag: 'created',
  branch_deleted: 'deleted',
  tag_deleted: 'deleted',
  ref: 'created',
  pull_request: 'opened',
  pull_request_comment: 'created',
  pull_request_review: 'approved',
  merge_group: 'checks_requested',
  deployment: 'created',
  deployment_status: 'success',
  check: 'rerequested',
  dispatch: 'requested',
  release: 'published',
  repository: 'edited',
}

/** An event as it usually comes; the provider does not matter for what it resolves to. */
function sampleEvent({ repository, ref, event: kind }: ResolutionQuestion): Event {
  const branch = ref?.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null
  const tag = ref?.startsWith('refs/tags/') ? ref.slice('refs/tags/'.length) : null
  return completeEvent({
    kind,
    action: ACTIONS[kind] ?? 'other',
    provider: 'generic',
    repository: { full_name: repository },
    ref,
    branch,
    tag,
    pull_request: isAboutPullRequest(kind) ? samplePullRequest(repository, branch) : null,
  })
}

/** Of the repository itself: one from a fork is decided by its approval. */
function samplePullRequest(repository: string, branch: string | null): EventPullRequest {
  return {
    number: 1,
    title: '',
    draft: null,
    labels: [],
    head: { ref: null, sha: null, repository },
    base: { ref: branch, sha: null, repository },
    from_fork: false,
    merged: null,
    author: null,
    web_url: null,
  }
}
