import type { Tx } from '#platform/database'
import { type RequestOrigin, requirePermission } from '#platform/http'
import { type Problem, platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import * as store from '../store.ts'

/** Ends the session of the request. Throws invalid_request (400) for a request with a token. */
export async function signOut(means: Means, origin: RequestOrigin): Promise<void> {
  const { sessionId } = origin.caller
  if (sessionId === undefined) {
    throw platformProblem('invalid_request', 'This request came with a token: it has no session to end.')
  }
  await end(means, origin, { id: sessionId, action: 'session.closed' })
}

/** One's own, and with user.write anybody's. Throws not_found (404) for all others. */
export async function revokeSession(means: Means, origin: RequestOrigin, id: string): Promise<void> {
  const { caller } = origin
  const session = await store.findSession(means.database.kysely, id)
  const mayAll = caller.can('user.write', '/')
  const isOwn = caller.kind === 'user' && session?.userId === caller.id
  if (!session || !(mayAll || isOwn)) throw noSuchSession()
  await end(means, origin, { id, action: 'session.revoked' })
}

interface Ending {
  readonly id: string
  readonly action: string
}

async function end(means: Means, origin: RequestOrigin, { id, action }: Ending): Promise<void> {
  await means.access.changeAccess(async (tx) => {
    if (!(await store.revokeSession(tx, id, means.clock.now()))) throw noSuchSession()
    await means.audit.record(tx, { origin, action, resource: { kind: 'session', id }, teamPath: '/' })
  })
}

/** All of one's own but that of the request. */
export async function revokeOwnSessions(means: Means, origin: RequestOrigin): Promise<void> {
  const { kind, id, sessionId } = origin.caller
  if (kind === 'user') await revokeAll(means, origin, { id, kept: sessionId })
}

/** Throws not_found (404) for a user whom the caller may not see, forbidden (403). */
export async function revokeUserSessions(means: Means, origin: RequestOrigin, id: string): Promise<void> {
  const user = await means.access.findUser(origin.caller, id)
  requirePermission(origin.caller, 'user.write', '/')
  await revokeAll(means, origin, { id: user.id, kept: undefined })
}

interface Owned {
  /** Of the user. */
  readonly id: string
  readonly kept: string | undefined
}

async function revokeAll(means: Means, origin: RequestOrigin, { id, kept }: Owned): Promise<void> {
  await means.access.changeAccess(async (tx) => {
    const sessions = await store.revokeOfUser(tx, id, { at: means.clock.now(), kept })
    if (sessions === 0) return
    const resource = { kind: 'user', id }
    await means.audit.record(tx, {
      origin,
      action: 'user.sessions_revoked',
      resource,
      teamPath: '/',
      after: { sessions },
    })
  })
}

/** Within a change of the user, which has locked the revision and leaves a record of its own. */
export async function endSessions({ clock }: Means, tx: Tx, { id, kept }: Owned): Promise<void> {
  await store.revokeOfUser(tx, id, { at: clock.now(), kept })
}

function noSuchSession(): Problem {
  return platformProblem('not_found', 'There is no such session, or you may not see it.')
}
