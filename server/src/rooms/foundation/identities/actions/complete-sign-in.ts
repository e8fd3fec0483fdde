import type { SignInError } from '@signalbox/contracts/identities'
import type { OpenIdAccount } from '#adapters/openid'
import type { Client } from '#rooms/foundation/sessions'
import type { Means } from '../means.ts'
import { isSubject } from '../rules/claims.ts'
import { type Transaction, transactionCookie } from '../rules/transaction.ts'
import { placeWithError, readPlace } from '../rules/wanted-place.ts'
import { admitAccount } from './admit-account.ts'
import { callbackOf, type Redirect, toPage, toSignIn } from './build-redirect.ts'
import { linkAccount } from './link-account.ts'
import { takeTransaction } from './take-transaction.ts'

export interface SignInReturn {
  readonly provider: string
  /** As it came, without the question mark. */
  readonly query: string
  readonly client: Client
}

/** The way on to the page, signed in or with the reason. Never throws: a browser stands here, which shows no problem. */
export async function completeSignIn(means: Means, back: SignInReturn): Promise<Redirect> {
  const provider = means.openId.get(back.provider)
  if (!provider) return toSignIn(means, 'unknown_provider', readPlace(undefined))
  const { id } = provider
  if (!means.rate.take(back.client.address).ok) return refuse(means, id, 'too_many_attempts')
  let transaction: Transaction | undefined
  try {
    const { cookie } = back.client.headers
    const state = new URLSearchParams(back.query).get('state') ?? undefined
    const cookies = typeof cookie === 'string' ? cookie : undefined
    transaction = await takeTransaction(means, { cookies, provider: id, state })
    if (!transaction) return refuse(means, id, 'expired')
    return await goOn(means, back, transaction)
  } catch (error) {
    means.log.error({ err: error, provider: id }, 'a sign-in by a provider failed')
    return refuse(means, id, 'unavailable', transaction)
  }
}

async function goOn(means: Means, back: SignInReturn, transaction: Transaction): Promise<Redirect> {
  const { provider: id, wanted, link } = transaction
  const provider = means.providers.get(id)
  const account = await proveAccount(means, back, transaction)
  if (typeof account === 'string' || !provider) return refuse(means, id, toError(account), transaction)
  const proved = { provider, account, client: back.client }
  if (link) {
    const fault = await linkAccount(means, proved, link)
    return fault === undefined ? toPage(means, wanted, [forgotten(means)]) : refuse(means, id, fault, transaction)
  }
  const admitted = await admitAccount(means, proved)
  if (typeof admitted === 'string') return refuse(means, id, admitted, transaction)
  means.sessions.countSignIn(id, 'opened')
  return toPage(means, wanted, [admitted.setCookie, forgotten(means)])
}

function toError(account: OpenIdAccount | SignInError): SignInError {
  return typeof account === 'string' ? account : 'unknown_provider'
}

async function proveAccount(
  means: Means,
  { query }: SignInReturn,
  transaction: Transaction,
): Promise<OpenIdAccount | SignInError> {
  const { provider: id } = transaction
  const completed = await means.openId.get(id)?.complete(callbackOf(means, id), query, transaction)
  switch (completed?.outcome) {
    case 'proved':
      return isSubject(completed.account.subject) ? completed.account : 'provider_invalid'
    case 'failed':
      means.log.warn({ provider: id, reason: completed.reason }, 'a provider proved no account')
      return `provider_${completed.fault}`
    case 'denied':
      return 'denied'
    case undefined:
      return 'unknown_provider'
  }
}

const FAILURES: readonly SignInError[] = ['provider_unreachable', 'provider_invalid', 'unavailable']

function refuse(means: Means, provider: string, error: SignInError, transaction?: Transaction): Redirect {
  const outcome = error === 'too_many_attempts' ? 'limited' : FAILURES.includes(error) ? 'failed' : 'refused'
  means.sessions.countSignIn(provider, outcome)
  if (!transaction) return toSignIn(means, error, readPlace(undefined))
  const { wanted, link } = transaction
  const place = link ? toPage(means, placeWithError(wanted, error)) : toSignIn(means, error, wanted)
  return { ...place, setCookies: [forgotten(means)] }
}

/** Spent: the browser need not send it any more. */
function forgotten({ browsers }: Means): string {
  return transactionCookie(browsers.isSecure, '')
}
