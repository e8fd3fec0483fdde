import type { OverrideQuery, Override as WireOverride } from '@signalbox/contracts/overrides'
import { type Caller, type Page, readCursor, toPage } from '#platform/http'
import type { Kit } from '#platform/room'
import { toWireTime, toWireTimeOrNull } from '#platform/time'
import { isExpired, type Override } from '../rules/index.ts'
import * as store from '../store.ts'

const DEFAULT_LIMIT = 50

export function canSee(caller: Caller, override: Override): boolean {
  return caller.can('override.read', override.teamPath)
}

/** Undefined where there is none, or none that the caller may see: the two look alike. */
export async function findVisibleOverride(
  kit: Kit,
  caller: Caller,
  name: store.RepositoryName,
): Promise<Override | undefined> {
  const override = await store.findOverride(kit.database.kysely, name)
  // Asked also when there is none, so that the answer is the same.
  const visible = caller.can('override.read', override?.teamPath ?? '/')
  return visible ? override : undefined
}

/** Newest first; expired ones too. */
export async function listOverrides(kit: Kit, caller: Caller, query: OverrideQuery): Promise<Page<Override>> {
  const limit = query.limit ?? DEFAULT_LIMIT
  const rows = await store.listOverrides(kit.database.kysely, {
    prefixes: caller.prefixes('override.read'),
    teamPath: query.team_path,
    before: readCursor(query.cursor),
    limit: limit + 1,
  })
  return toPage(rows, limit)
}

/** To wire; also what audit records show before and after. */
export function presentOverride(override: Override, at: Date): WireOverride {
  return {
    repo_owner: override.repoOwner,
    repo_name: override.repoName,
    pipeline: override.pipeline,
    scope: override.scope,
    expires_at: toWireTimeOrNull(override.expiresAt),
    reason: override.reason,
    expired: isExpired(override, at),
    owner: { ...override.owner },
    created_at: toWireTime(override.createdAt),
    updated_at: toWireTime(override.updatedAt),
  }
}
