import type { CreateUserIdentity } from '@signalbox/contracts/identities'
import type { Tx } from '#platform/database'
import { type Caller, type RequestOrigin, requirePermission } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { identityProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { readGitIssuer } from '../rules/git-account.ts'
import * as store from '../store.ts'
import { recordIdentity } from './record-identity.ts'

/** Throws not_found (404) for a user whom the caller may not see, and forbidden (403) without user.write for others. */
export async function listIdentities(means: Means, caller: Caller, userId: string): Promise<store.IdentityRow[]> {
  await requireOwner(means, caller, userId)
  return store.listIdentities(means.database.kysely, userId)
}

export interface LinkedSubject extends CreateUserIdentity {
  readonly userId: string
}

export async function createIdentity(
  means: Means,
  origin: RequestOrigin,
  { userId, provider: id, subject }: LinkedSubject,
): Promise<store.IdentityRow> {
  await means.access.findUser(origin.caller, userId)
  requirePermission(origin.caller, 'user.write', '/')
  const account = { issuer: findIssuer(means, id, subject), subject }
  return means.access.changeAccess(async (tx) => {
    if (await store.findByAccount(tx, account)) {
      throw identityProblem('identity.account_taken', 'The account is linked to a user already: unlink it there first.')
    }
    return recordIdentity(means, tx, origin, { userId, provider: id, account })
  })
}

/** Of a configured provider, or of a Git provider whose accounts an administrator links by their ids. */
function findIssuer({ providers }: Means, id: string, subject: string): string {
  const git = readGitIssuer(id, subject)
  if (git && 'issuer' in git) return git.issuer
  const issuer = providers.get(id)?.issuer
  if (!git && issuer !== undefined) return issuer
  const message = git ? git.fault : 'is none of the configured providers'
  const detail = git ? 'Name the provider and the number of the account there.' : 'Name a provider of GET /v1/sign-in.'
  throw platformProblem('invalid_request', detail, { errors: [{ field: 'provider', message }] })
}

export interface NamedIdentity {
  readonly userId: string
  readonly id: string
}

/**
 * Ends the user's sessions, but for that of the request: nobody stays signed in by an account that is unlinked. Throws
 * identity.only_way_in (409) where people would lock themselves out.
 */
export async function deleteIdentity(
  means: Means,
  origin: RequestOrigin,
  { userId, id }: NamedIdentity,
): Promise<void> {
  await requireOwner(means, origin.caller, userId)
  await means.access.changeAccess(async (tx) => {
    const identity = await store.deleteIdentity(tx, userId, id)
    if (!identity) throw platformProblem('not_found', 'The user has no such account.')
    if (isSelf(origin.caller, userId)) await requireWayIn(means, tx, userId, identity)
    await means.sessions.endSessions(tx, userId, origin.caller.sessionId)
    const { issuer, subject } = identity
    await means.audit.record(tx, {
      origin,
      action: 'user.identity_unlinked',
      resource: { kind: 'user', id: userId },
      teamPath: '/',
      before: { identity_id: id, issuer, subject },
    })
  })
}

async function requireOwner(means: Means, caller: Caller, userId: string): Promise<void> {
  await means.access.findUser(caller, userId)
  if (!isSelf(caller, userId)) requirePermission(caller, 'user.write', '/')
}

function isSelf({ kind, id }: Caller, userId: string): boolean {
  return kind === 'user' && id === userId
}

/** A password that counts, or another account at a provider that is configured. An account that let nobody in may go. */
async function requireWayIn(means: Means, tx: Tx, userId: string, unlinked: store.IdentityRow): Promise<void> {
  const issuers = new Set([...means.providers.values()].map(({ issuer }) => issuer))
  if (!issuers.has(unlinked.issuer)) return
  const { passwordSignIn } = means.config
  if (passwordSignIn && (await means.access.holdUser(tx, userId))?.hasPassword) return
  const others = await store.listIdentities(tx, userId)
  if (others.some(({ issuer }) => issuers.has(issuer))) return
  const remedy = passwordSignIn
    ? 'Link another account first, or let an administrator give you a password.'
    : 'Link another account first.'
  throw identityProblem('identity.only_way_in', `You sign in by this account alone. ${remedy}`)
}
