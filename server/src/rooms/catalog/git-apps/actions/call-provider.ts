import type { ForgeAnswer, ForgeFailure, Grants } from '#adapters/forges'
import type { Means } from '../means.ts'
import { isAppRef, readAppRef } from '../rules/app-ref.ts'
import { grantsOf, lacking } from '../rules/grants.ts'
import type { CredentialWish } from '../rules/wish.ts'
import { callWithToken, getToken } from './call-with-token.ts'
import { type ConnectedApp, connectApp, failedBy, type UnusableApp } from './connect-app.ts'
import { type FoundAccess, findAccess } from './find-access.ts'
import { noteRefusal } from './restrict-installation.ts'

export type TokenWork<T> = (token: string | undefined) => Promise<ForgeAnswer<T>>

/** Calls a provider with the credential of the wish. Whether an app may be used is asked of the tables each time. */
export async function callProvider<T>(
  means: Means,
  wish: CredentialWish,
  { signal, work }: { readonly signal: AbortSignal; readonly work: TokenWork<T> },
): Promise<ForgeAnswer<T>> {
  if (wish.ref === null) return work(undefined)
  if (!isAppRef(wish.ref)) return callWithSecret(means, wish.ref, wish, work)
  const reached = await reach(means, wish)
  if ('unusable' in reached) return failedBy(reached)
  const { connected, access, grants } = reached
  const wanted = { installationId: access.installationId, repository: wish.repository, grants }
  const answer = await callWithToken(means, connected, wanted, { signal, work })
  return answer.outcome === 'failed' ? explain(means, reached, answer) : answer
}

async function callWithSecret<T>(
  means: Means,
  ref: string,
  { teamPath }: CredentialWish,
  work: TokenWork<T>,
): Promise<ForgeAnswer<T>> {
  const read = await means.secrets.read(means.database.kysely, ref, teamPath)
  if ('unusable' in read) return failedBy({ unusable: `The credential cannot be used: ${read.unusable}` })
  const answer = await work(read.values[0])
  if (answer.outcome !== 'failed') means.secrets.markUsed(read)
  return answer
}

interface Reached extends FoundAccess {
  readonly connected: ConnectedApp
  readonly grants: Grants
}

async function reach(means: Means, wish: CredentialWish): Promise<Reached | UnusableApp> {
  const db = means.database.kysely
  const provider = wish.ref === null ? undefined : readAppRef(wish.ref)
  if (!provider) return { unusable: `${wish.ref} names no app of a provider that can have one.` }
  const found = await findAccess(means, db, provider, wish)
  if ('unusable' in found) return found
  const connected = await connectApp(means, db, found.app)
  return 'unusable' in connected ? connected : { ...found, connected, grants: grantsOf(wish.uses) }
}

/** A refusal of the whole installation is kept; one for a missing right says which. */
async function explain(means: Means, { app, access, grants }: Reached, failure: ForgeFailure): Promise<ForgeFailure> {
  const { installationId } = access
  if (failure.cause === 'suspended') {
    await noteRefusal(means, { provider: app.provider, installationId }, 'suspended')
    return failure
  }
  const missing = lacking(grants, access.permissions)
  if ((failure.status !== 403 && failure.status !== 422) || missing.length === 0) return failure
  const reason = `The installation ${installationId} of the app at ${app.provider} lacks ${missing.join(', ')}: an owner of the account accepts it at the provider. (${failure.reason})`
  return { ...failure, reason }
}

export interface ReadLogin {
  readonly username: string
  readonly password: string
}

/** A token is a password whose user does not matter, but Git wants one. */
const TOKEN_USERNAME = 'x-access-token'

/** The login for Git over http; undefined where nobody is to be proved. */
export async function readLogin(
  means: Means,
  wish: CredentialWish,
  signal: AbortSignal,
): Promise<ReadLogin | UnusableApp | undefined> {
  if (wish.ref === null) return undefined
  if (!isAppRef(wish.ref)) return readStoredLogin(means, wish.ref, wish.teamPath)
  const reached = await reach(means, wish)
  if ('unusable' in reached) return reached
  const { connected, access, app, grants } = reached
  const scope = {
    provider: app.provider,
    baseUrl: app.baseUrl,
    appId: app.appId,
    proof: connected.proof,
    installationId: access.installationId,
    repository: wish.repository,
    grants,
  }
  const asked = await getToken(means, connected, scope, signal)
  if (asked.outcome === 'found') return loginOf(asked.value.token)
  if (asked.outcome === 'not_found') {
    return {
      unusable: `The app at ${app.provider} gets no token for ${wish.repository}: refresh the installation ${access.installationId}.`,
    }
  }
  return { unusable: (await explain(means, reached, asked)).reason }
}

async function readStoredLogin(means: Means, ref: string, teamPath: string): Promise<ReadLogin | UnusableApp> {
  const read = await means.secrets.read(means.database.kysely, ref, teamPath)
  if ('unusable' in read) return read
  means.secrets.markUsed(read)
  return loginOf(read.values[0] ?? '')
}

/** A stored credential is a token, or `user:password`. */
function loginOf(value: string): ReadLogin {
  const colon = value.indexOf(':')
  if (colon === -1) return { username: TOKEN_USERNAME, password: value }
  return { username: value.slice(0, colon), password: value.slice(colon + 1) }
}
