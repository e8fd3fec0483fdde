import { constantTimeEqual, SealBroken, sha256 } from '#platform/crypto'
import { readCookie } from '#platform/http'
import type { Means } from '../means.ts'
import { readTransaction, type Transaction, transactionCookieName } from '../rules/transaction.ts'
import * as store from '../store.ts'
import { SEALED_AS } from './begin-sign-in.ts'

export interface ReturnedBrowser {
  readonly cookies: string | undefined
  /** The provider of the address that it came back to. */
  readonly provider: string
  readonly state: string | undefined
}

/**
 * The transaction that this browser went to the provider with, once. Undefined for every other browser, another
 * provider, another state, and after ten minutes; none of these spends it.
 */
export async function takeTransaction(means: Means, browser: ReturnedBrowser): Promise<Transaction | undefined> {
  const transaction = open(means, browser.cookies)
  if (transaction === undefined || transaction.provider !== browser.provider) return undefined
  if (!constantTimeEqual(transaction.state, browser.state ?? '')) return undefined
  const now = means.clock.now()
  if (transaction.expiresAt <= now.getTime()) return undefined
  const { kysely } = means.database
  await store.dropExpired(kysely, now)
  const isFirst = await store.spend(kysely, sha256(transaction.state), new Date(transaction.expiresAt))
  return isFirst ? transaction : undefined
}

function open({ sealer, browsers }: Means, cookies: string | undefined): Transaction | undefined {
  const sealed = readCookie(cookies, transactionCookieName(browsers.isSecure))
  if (sealed === undefined || sealed === '') return undefined
  try {
    return readTransaction(sealer.open(Buffer.from(sealed, 'base64url'), SEALED_AS))
  } catch (error) {
    if (error instanceof SealBroken || error instanceof SyntaxError) return undefined
    throw error
  }
}
