import { randomBytes } from 'node:crypto'
import { createPasswords, sha256 } from '#platform/crypto'
import type { Queryable } from '#platform/database'
import { browserAccessOf } from '#platform/http'
import { createIds } from '#platform/ids'
import { createTestDatabase, createTestHttp, createTestKit } from '#platform/testing'
import type { Clock } from '#platform/time'
import type { AboveAccess } from '#rooms/foundation/access'
import { aMember, openFoundation } from '#rooms/foundation/access/testing'
import { sessions } from './index.ts'
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

/** Foundation and sessions over HTTP at `baseUrl`, with people who can sign in. Close it after the tests. */
export async function openSignIn(options: {
  readonly baseUrl: string
  readonly clock?: Clock
  readonly env?: Readonly<Record<string, string>>
}) {
  const { database, url } = await createTestDatabase()
  const db = database.kysely
  const { baseUrl, env, ...clock } = options
  const kit = createTestKit(database, { ...clock, env: { BASE_URL: baseUrl, ...env } })
  // What access asks of the room above it.
  const above: AboveAccess = { endSessions: (...asked) => parts.door.endSessions(...asked) }
  const house = await openFoundation(kit, undefined, above)
  const parts = await sessions.open(kit, house)
  const browsers = browserAccessOf(kit.config)
  const routes = [...house.routes, ...(parts.routes ?? [])]
  const http = await createTestHttp(routes, parts.door.authenticator, undefined, { browsers })
  const root = await aMember(db, 'root', 'administrator', '/')
  const passwordHash = await createPasswords().hash(PASSWORD)
  let addresses = 0

  return {
    db,
    url,
    kit,
    parts,
    house,
    root,
    async aPerson(login: string): Promise<string> {
      const { id } = await aMember(db, login, 'viewer', '/')
      await db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', id).execute()
      return id
    },
    /** From a page of ours, each time from another address: wrong passwords are counted for each. */
    signIn(payload: object, headers: Readonly<Record<string, string>> = {}) {
      const remoteAddress = `192.0.2.${(addresses += 1)}`
      return http.app.inject({
        method: 'POST',
        url: '/v1/sessions',
        payload,
        remoteAddress,
        headers: { ...OWN_PAGE, ...headers },
      })
    },
    settle: () => parts.close?.(),
    /** With a cookie, from a page of ours. */
    ask: (cookie: string, method: Method, path: string, payload?: object) =>
      http.app.inject({ method, url: path, headers: { ...OWN_PAGE, cookie }, ...(payload ? { payload } : {}) }),
    /** As `ask`, with further headers. */
    look: (cookie: string, path: string, headers: Readonly<Record<string, string>>) =>
      http.app.inject({ method: 'GET', url: path, headers: { ...OWN_PAGE, cookie, ...headers } }),
    /** With a token. */
    call: (
      member: { readonly headers: Readonly<Record<string, string>> },
      method: Method,
      path: string,
      payload?: object,
    ) => http.app.inject({ method, url: path, headers: member.headers, ...(payload ? { payload } : {}) }),
    async close() {
      await http.app.close()
      await parts.close?.()
      await house.close()
    },
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Of everybody whom `aPerson` makes. */
export const PASSWORD = 'correct horse battery'
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }

/** The cookie that an answer sets, as a browser sends it. */
export function cookieFrom(answer: { readonly headers: Readonly<Record<string, unknown>> }): string {
  return String(answer.headers['set-cookie']).split(';')[0] ?? ''
}
