import type { Session, SessionListQuery } from '@signalbox/contracts/sessions'
import { type Caller, type Page, pageOf, requirePermission, toWire } from '#platform/http'
import { toWireTime } from '#platform/time'
import type { Means } from '../means.ts'
import { describeDevice, idleEnd } from '../rules.ts'
import * as store from '../store.ts'

/** The caller's own; a token of a service account has none. */
export async function listOwnSessions(
  means: Means,
  caller: Caller,
  query: SessionListQuery,
): Promise<Page<store.SessionRow>> {
  if (caller.kind !== 'user') return { items: [], next: undefined }
  return listOf(means, caller.id, query)
}

/** Throws not_found (404) for a user whom the caller may not see, forbidden (403). */
export async function listUserSessions(
  means: Means,
  caller: Caller,
  { id, query }: { readonly id: string; readonly query: SessionListQuery },
): Promise<Page<store.SessionRow>> {
  const user = await means.access.findUser(caller, id)
  requirePermission(caller, 'user.write', '/')
  return listOf(means, user.id, query)
}

/** Whether it can still be used: not ended, and not over by time. */
export async function isLasting({ database, clock, lifetime }: Means, id: string): Promise<boolean> {
  const row = await store.findSession(database.kysely, id)
  const at = clock.now()
  return row !== undefined && row.expiresAt > at && idleEnd(row.lastUsedAt, lifetime) > at
}

function listOf(means: Means, userId: string, query: SessionListQuery): Promise<Page<store.SessionRow>> {
  const at = means.clock.now()
  const idleSince = new Date(at.getTime() - means.lifetime.idleMs)
  return pageOf(query, (window) => store.listSessions(means.database.kysely, userId, { ...window, at, idleSince }))
}

export function presentSession({ lifetime }: Means, caller: Caller, row: store.SessionRow): Session {
  const { revokedAt: _, ...session } = row
  return {
    ...toWire(session),
    method: row.method,
    device: describeDevice(row.userAgent),
    idle_ends_at: toWireTime(idleEnd(row.lastUsedAt, lifetime)),
    current: caller.sessionId === row.id,
  }
}
