import type { GitAppError, GitAppProvider } from '@signalbox/contracts/git-apps'
import { sha256 } from '#platform/crypto'
import { type Caller, type RequestOrigin, readCookie } from '#platform/http'
import type { Means } from '../means.ts'
import { findFlowFault } from '../rules/registration.ts'
import { consumeFlow, type FlowRow, findFlow } from '../store/flows.ts'

/** The browser that came back. */
export interface ReturnedBrowser {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly address: string
  readonly requestId: string
}

export interface FlowReturn {
  readonly flow: FlowRow['flow']
  readonly provider: GitAppProvider
  readonly state: string
  readonly browser: ReturnedBrowser
}

export interface TakenFlow {
  readonly row: FlowRow
  /** Who began it, with the rights of now. */
  readonly origin: RequestOrigin
}

/**
 * Spends a state, once, before anybody is asked. Another flow, provider or browser, and a starter who may no longer do it,
 * spend nothing.
 */
export async function takeFlow(means: Means, back: FlowReturn): Promise<TakenFlow | GitAppError> {
  const { flow, provider, state, browser } = back
  const digest = sha256(state)
  const now = means.clock.now()
  const row = await findFlow(means.database.kysely, digest)
  const fault = findFlowFault(row, { flow, provider, now })
  if (fault !== undefined || !row) return fault ?? 'state_mismatch'
  const caller = await findStarter(means, row, browser)
  if (!caller) return 'state_mismatch'
  if (!caller.can('git_app.write', '/')) return 'denied'
  if (!(await means.database.transaction((tx) => consumeFlow(tx, digest, now)))) return 'state_mismatch'
  const { address, requestId } = browser
  return { row, origin: { caller, address, requestId } }
}

/** Begun from a session: that session, in this browser. Begun with a token: whoever it belonged to. */
async function findStarter(
  means: Means,
  { starterKind, starterId, sessionId }: FlowRow,
  { headers, address }: ReturnedBrowser,
): Promise<Caller | undefined> {
  if (sessionId === null) return means.access.subject(starterKind, starterId)
  const { cookie } = headers
  const secret = readCookie(typeof cookie === 'string' ? cookie : undefined, means.browsers.cookieName)
  if (secret === undefined) return undefined
  const caller = await means.sessions.authenticator.authenticate({ kind: 'session', secret }, address)
  return caller?.sessionId === sessionId && caller.id === starterId ? caller : undefined
}
