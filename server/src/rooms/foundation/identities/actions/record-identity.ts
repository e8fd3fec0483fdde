import type { OpenIdAccount } from '#adapters/openid'
import type { SignInProvider } from '#platform/config'
import type { Tx } from '#platform/database'
import type { RequestOrigin } from '#platform/http'
import type { Client } from '#rooms/foundation/sessions'
import type { Means } from '../means.ts'
import * as store from '../store.ts'

export interface ProvedAccount {
  readonly provider: SignInProvider
  readonly account: OpenIdAccount
  readonly client: Client
}

interface NewIdentity {
  readonly userId: string
  /** The id of the provider, for the record. */
  readonly provider: string
  readonly account: Pick<OpenIdAccount, 'issuer' | 'subject'>
}

export async function recordIdentity(
  means: Means,
  tx: Tx,
  origin: RequestOrigin,
  { userId, provider, account: { issuer, subject } }: NewIdentity,
): Promise<store.IdentityRow> {
  const row = { id: means.ids.next(), userId, issuer, subject, createdAt: means.clock.now(), lastSignInAt: null }
  await store.insertIdentity(tx, row)
  const resource = { kind: 'user', id: userId }
  const after = { identity_id: row.id, provider, issuer, subject }
  await means.audit.record(tx, { origin, action: 'user.identity_linked', resource, teamPath: '/', after })
  return row
}
