import type { Selectable } from 'kysely'
import type { DB, Queryable } from '#platform/database'
import { withinPrefixes } from '#platform/database'

export interface TokenRow {
  readonly id: string
  readonly name: string
  readonly lastFour: string
  readonly owner: { readonly kind: 'user' | 'service_account'; readonly id: string }
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
  readonly createdAt: Date
}

export async function insertToken(db: Queryable, row: TokenRow, sha256: Buffer): Promise<void> {
  await db
    .insertInto('tokens')
    .values({
      id: row.id,
      name: row.name,
      token_sha256: sha256,
      last_four: row.lastFour,
      user_id: row.owner.kind === 'user' ? row.owner.id : null,
      service_account_id: row.owner.kind === 'service_account' ? row.owner.id : null,
      expires_at: row.expiresAt,
      created_at: row.createdAt,
    })
    .execute()
}

/** Served by the unique index on the digest. Revoked tokens are not found. */
export async function findLiveToken(db: Queryable, sha256: Buffer): Promise<TokenRow | undefined> {
  const row = await db
    .selectFrom('tokens')
    .selectAll()
    .where('token_sha256', '=', sha256)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return row && toToken(row)
}

export async function findToken(db: Queryable, id: string): Promise<TokenRow | undefined> {
  const row = await db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toToken(row)
}

/** Tokens of one user, and those of service accounts of the teams below `prefixes`; all of them for `everyone`. */
export async function listTokens(
  db: Queryable,
  filter: {
    everyone: boolean
    userId: string | undefined
    prefixes: readonly string[]
    before: string | undefined
    limit: number
  },
): Promise<TokenRow[]> {
  let query = db
    .selectFrom('tokens')
    .leftJoin('service_accounts', 'service_accounts.id', 'tokens.service_account_id')
    .selectAll('tokens')
    .where('tokens.revoked_at', 'is', null)
    .orderBy('tokens.id', 'desc')
    .limit(filter.limit)
  if (!filter.everyone) {
    query = query.where((eb) =>
      eb.or([
        ...(filter.userId === undefined ? [] : [eb('tokens.user_id', '=', filter.userId)]),
        eb.and([
          eb('tokens.service_account_id', 'is not', null),
          withinPrefixes('service_accounts.team_path', filter.prefixes),
        ]),
      ]),
    )
  }
  if (filter.before) query = query.where('tokens.id', '<', filter.before)
  return (await query.execute()).map(toToken)
}

export async function revokeToken(db: Queryable, id: string, at: Date): Promise<void> {
  await db.updateTable('tokens').set({ revoked_at: at }).where('id', '=', id).where('revoked_at', 'is', null).execute()
}

/** At most once a minute per token: `staleBefore` is a minute ago. Raises no revision. */
export async function touchToken(db: Queryable, id: string, at: Date, staleBefore: Date): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', staleBefore)]))
    .execute()
}

function toToken(row: Selectable<DB['tokens']>): TokenRow {
  return {
    id: row.id,
    name: row.name,
    lastFour: row.last_four,
    owner:
      row.user_id === null
        ? { kind: 'service_account', id: row.service_account_id ?? '' }
        : { kind: 'user', id: row.user_id },
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
  }
}
