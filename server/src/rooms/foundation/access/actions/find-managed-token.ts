import type { Caller } from '#platform/http'
import { type Problem, platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { findServiceAccount } from '../store/service-accounts.ts'
import { findToken, type TokenRow } from '../store/tokens.ts'

/** A token that has not been revoked, and the team of the service account that owns it; '/' for that of a user. */
export interface ManagedToken {
  readonly row: TokenRow
  readonly teamPath: string
}

/**
 * The token, for whoever may revoke it: its owner, whoever may write tokens of the service account, and whoever may write
 * users. A token with limits manages itself and no other. Throws not_found (404).
 */
export async function findManagedToken(means: Means, caller: Caller, id: string): Promise<ManagedToken> {
  const db = means.database.kysely
  const row = await findToken(db, id)
  const account = row?.owner.kind === 'service_account' ? await findServiceAccount(db, row.owner.id) : undefined
  const mayAll = caller.can('user.write', '/')
  const isSelf = row !== undefined && row.owner.kind === caller.kind && row.owner.id === caller.id
  const isOwn = isSelf && (!caller.token?.limits || caller.token.id === row.id)
  const mayOfAccount = account !== undefined && caller.can('token.write', account.teamPath)
  if (!row || row.revokedAt || !(mayAll || isOwn || mayOfAccount)) throw absentToken()
  return { row, teamPath: account?.teamPath ?? '/' }
}

export function absentToken(): Problem {
  return platformProblem('not_found', 'There is no such token, or you may not see it.')
}
