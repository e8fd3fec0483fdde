import { randomBytes } from 'node:crypto'
import { sha256 } from '#platform/crypto'
import type { Queryable } from '#platform/database'
import { createIds } from '#platform/ids'
import { insertSession, type SessionRow } from './store.ts'

const ids = createIds(Date.now)
const DAY_MS = 86_400_000

/** Signs a user in without a password; answers the id of the session and its cookie for an address of plain HTTP. */
export async function aSession(
  db: Queryable,
  row: Partial<SessionRow> & { readonly userId: string },
): Promise<{ readonly id: string; readonly secret: string; readonly cookie: string }> {
  const id = ids.next()
  const secret = randomBytes(32).toString('base64url')
  const at = new Date()
  const usual = {
    id,
    method: 'password' as const,
    provider: null,
    userAgent: '',
    address: '192.0.2.1',
    createdAt: at,
    lastUsedAt: at,
    expiresAt: new Date(at.getTime() + DAY_MS),
    revokedAt: null,
  }
  await insertSession(db, { ...usual, ...row }, sha256(secret))
  return { id, secret, cookie: `session=${secret}` }
}
