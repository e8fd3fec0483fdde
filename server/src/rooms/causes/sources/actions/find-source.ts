import type { WebhookSource, WebhookSourceQuery } from '@signalbox/contracts/sources'
import type { Queryable } from '#platform/database'
import { type Caller, type Page, pageOf, requireVisible, toWire } from '#platform/http'
import { type Problem, platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { Triggers } from '#rooms/causes/triggers'
import type { Means } from '../means.ts'
import { matchContextOf, type Source } from '../rules/index.ts'
import * as store from '../store/sources.ts'

export interface CountedSource {
  readonly source: Source
  readonly connectedTriggers: number
}

/** One problem for both: an id that never was, and a source that the caller may not see. */
export function sourceNotFound(): Problem {
  return platformProblem('not_found', 'There is no source of this id.')
}

export async function getSource(means: Means, caller: Caller, id: string): Promise<CountedSource> {
  return count(means.database.kysely, means, await getVisible(means, caller, id))
}

/** Without the count. */
export async function getVisible(kit: Kit, caller: Caller, id: string): Promise<Source> {
  const source = await store.findSource(kit.database.kysely, id)
  return requireVisible(caller, 'webhook_source.read', source, sourceNotFound)
}

export async function count(db: Queryable, means: Means, source: Source): Promise<CountedSource> {
  const [counted = { source, connectedTriggers: 0 }] = await countAll(db, means, [source])
  return counted
}

async function countAll(db: Queryable, means: Means, sources: readonly Source[]): Promise<readonly CountedSource[]> {
  const ids = sources.map((source) => source.id)
  const naming = await means.triggers.countBySource(db, ids)
  const counting = sources.map(async (source) => {
    const fed = await listFed(means, source)
    return { source, connectedTriggers: (naming.get(source.id) ?? 0) + fed.length }
  })
  return Promise.all(counting)
}

/** The triggers that name no source and take events of this one. */
export async function listFed({ triggers, access }: Means, source: Source): ReturnType<Triggers['listFed']> {
  const context = matchContextOf(source, await access.snapshot())
  return triggers.listFed({ context, allowlist: source.repositoryAllowlist })
}

export async function listSources(
  means: Means,
  caller: Caller,
  query: WebhookSourceQuery,
): Promise<Page<CountedSource>> {
  const page = await pageOf(query, (window) =>
    store.listSources(means.database.kysely, {
      ...window,
      prefixes: caller.prefixes('webhook_source.read'),
      teamPath: query.team_path,
      credentialRef: query.credential_ref,
    }),
  )
  return { items: await countAll(means.database.kysely, means, page.items), next: page.next }
}

/**
 * To wire, less what the configuration adds; also what audit records show before and after. The reference is no secret;
 * its value is never shown.
 */
export function presentSource({
  source,
  connectedTriggers,
}: CountedSource): Omit<WebhookSource, 'payload_url' | 'notes'> {
  const { rateLimitPerMinute, ...shown } = source
  return {
    ...toWire(shown),
    rate_limit: { per_minute: rateLimitPerMinute },
    connected_trigger_count: connectedTriggers,
  }
}
