import type { OpenIdFailed, OpenIdProvider } from '#adapters/openid'
import { type Caller, ownerOf } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { identityProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { TRANSACTION_MS, type Transaction, transactionCookie } from '../rules/transaction.ts'
import { readPlace } from '../rules/wanted-place.ts'
import { callbackOf, type Redirect, toSignIn } from './build-redirect.ts'

export interface SignInStart {
  readonly provider: string
  /** The wanted place in the page, as it was asked for. */
  readonly returnTo: string | undefined
  readonly address: string
}

/** The way to the provider, or back to the page with the reason. */
export async function beginSignIn(means: Means, { provider: id, returnTo, address }: SignInStart): Promise<Redirect> {
  const wanted = readPlace(returnTo)
  const provider = means.openId.get(id)
  if (!provider) return toSignIn(means, 'unknown_provider', wanted)
  if (!means.rate.take(address).ok) return refuse(means, id, 'too_many_attempts', wanted)
  const begun = await goTo(means, provider, { wanted })
  if ('fault' in begun) return refuse(means, id, `provider_${begun.fault}`, wanted)
  return begun
}

function refuse(
  means: Means,
  provider: string,
  error: 'too_many_attempts' | 'provider_unreachable' | 'provider_invalid',
  wanted: string,
): Redirect {
  means.sessions.countSignIn(provider, error === 'too_many_attempts' ? 'limited' : 'failed')
  return toSignIn(means, error, wanted)
}

/**
 * The way to the provider for a signed-in user who links an account there. Only from a session: the browser that comes
 * back must be the one that went. Throws identity.provider_unreachable (503).
 */
export async function beginLink(means: Means, caller: Caller, start: SignInStart): Promise<Redirect> {
  const { kind, id: userId } = ownerOf(caller)
  const { sessionId } = caller
  if (kind !== 'user' || sessionId === undefined) {
    throw platformProblem('invalid_request', 'Sign in to the page as a user, and link the account there.')
  }
  const provider = means.openId.get(start.provider)
  if (!provider) throw platformProblem('not_found', 'There is no such provider.')
  if (!means.rate.take(start.address).ok) {
    throw platformProblem('rate_limited', 'Wait a minute before you try again.', { headers: { 'retry-after': '60' } })
  }
  const begun = await goTo(means, provider, { wanted: readPlace(start.returnTo), link: { userId, sessionId } })
  if ('fault' in begun) {
    throw identityProblem(
      'identity.provider_unreachable',
      'Try again later: the provider does not answer as it should.',
    )
  }
  return begun
}

async function goTo(
  means: Means,
  provider: OpenIdProvider,
  purpose: Pick<Transaction, 'wanted' | 'link'>,
): Promise<Redirect | OpenIdFailed> {
  const begun = await provider.begin(callbackOf(means, provider.id))
  if (begun.outcome === 'failed') {
    means.log.warn({ provider: provider.id, reason: begun.reason }, 'nobody can sign in by a provider')
    return begun
  }
  const expiresAt = means.clock.now().getTime() + TRANSACTION_MS
  const transaction: Transaction = { provider: provider.id, ...begun.transaction, ...purpose, expiresAt }
  const sealed = means.sealer.seal(JSON.stringify(transaction), SEALED_AS).toString('base64url')
  return { location: begun.url, setCookies: [transactionCookie(means.browsers.isSecure, sealed)] }
}

/** What a transaction is sealed for: nothing else that is sealed passes for one. */
export const SEALED_AS = 'sign-in-transaction'
