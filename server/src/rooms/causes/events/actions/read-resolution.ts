import { completeEvent, type Event } from '@signalbox/contracts/event'
import type { Layer, ManifestTrace } from '@signalbox/contracts/events'
import type { OverrideResolution, ResolvedRun } from '@signalbox/contracts/overrides'
import type { Caller } from '#platform/http'
import type { Kit } from '#platform/room'
import type { ResolutionRequest } from '#rooms/causes/overrides'
import type { MatchContext, TriggerMatch } from '#rooms/causes/triggers'
import type { EventMeans, RepositoryAccess, SourcePort } from '../index.ts'
import { matchOverride, overrideApplies } from '../rules/index.ts'
import { readManifestOf, withRepository } from './read-repository.ts'

/** A person waits for the answer. */
const READ_MS = 15_000

/** What an event of that kind on that ref would start now, by layers, and what the layers below come too late for. */
export async function readResolution(
  kit: Kit,
  needs: EventMeans,
  sources: SourcePort,
  caller: Caller,
  asked: ResolutionRequest,
): Promise<OverrideResolution> {
  const event = sampleEvent(asked)
  const connection = await sources.connectionOf(caller, event)
  const context: MatchContext = connection?.context ?? { sourceId: null, visibleTo: () => true }
  const override = (await needs.overrides.finder()).find(event.repository.full_name, kit.clock.now())
  const triggers = (await needs.triggers.matcher()).match(event, context)
  const read = connection?.access
    ? await readEntries(kit, needs, connection.sourceId, connection.access, event)
    : { entries: [], manifest: null }
  const { entries, manifest } = read

  const rules = [
    ...entries.map((match) => resolved('repository_manifest', match)),
    ...triggers
      .filter(({ trigger }) => caller.can('trigger.read', trigger.teamPath))
      .map((match) => resolved('service_trigger', match)),
  ].filter((rule) => rule !== undefined)
  const answer = { repository: asked.repository, ref: asked.ref, event: asked.event, manifest }
  const applies = override && overrideApplies(override, context) && caller.can('override.read', override.teamPath)
  if (!applies) {
    const layer = rules.find((rule) => rule.would_start)?.layer ?? null
    return { ...answer, layer, runs: rules, losers: [] }
  }
  const match = matchOverride(event)
  const run: ResolvedRun = {
    layer: 'override',
    trigger_id: null,
    name: override.pipeline,
    pipeline: override.pipeline,
    scope: override.scope,
    would_start: match.matched,
    reason: match.matched ? null : `An override starts nothing for ${event.kind} ${event.action}.`,
  }
  return { ...answer, layer: 'override', runs: [run], losers: rules.map((rule) => ({ ...rule, would_start: false })) }
}

async function readEntries(
  kit: Kit,
  needs: EventMeans,
  sourceId: string,
  access: RepositoryAccess,
  event: Event,
): Promise<{ readonly entries: readonly TriggerMatch[]; readonly manifest: ManifestTrace | null }> {
  const address = { ...access.address, signal: AbortSignal.timeout(READ_MS) }
  const { manifest, trace } = await withRepository(needs.git, address, (open) =>
    readManifestOf(kit, needs.triggers, open, event),
  )
  if (!manifest) return { entries: [], manifest: trace }
  const { teamPath, owner } = access
  const entries = needs.triggers.matchManifest(manifest, event, { sourceId, teamPath, owner })
  return { entries, manifest: trace }
}

/** Undefined for a rule that is about other events. */
function resolved(layer: Layer, match: TriggerMatch): ResolvedRun | undefined {
  const { trigger } = match
  if (!match.matched) return undefined
  const depends = match.pathsUndecided ? 'It depends on which files changed.' : null
  return {
    layer,
    trigger_id: trigger.id,
    name: trigger.name,
    pipeline: trigger.pipeline,
    scope: trigger.scope,
    would_start: match.refusal === null,
    reason: match.refusal ?? depends,
  }
}

const ACTIONS: Readonly<Partial<Record<Event['kind'], string>>> = {
  push: 'updated',
  tag: 'created',
  branch_deleted: 'deleted',
  tag_deleted: 'deleted',
  ref: 'created',
  pull_request: 'opened',
  pull_request_comment: 'created',
  release: 'published',
  repository: 'edited',
}

/** An event as it usually comes; the provider does not matter for what it resolves to. */
function sampleEvent({ repository, ref, event: kind }: ResolutionRequest): Event {
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
  })
}
