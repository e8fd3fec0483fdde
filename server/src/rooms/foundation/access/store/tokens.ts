import { sha256 } from '#platform/crypto'
import { type Queryable, type RowOf, toCamel, toSnake, withinPrefixes } from '#platform/database'
import type { Window } from '#platform/http'
import type { Limits } from '../rules/token-limits.ts'

const COLUMNS = [
  'tokens.id',
  'tokens.name',
  'tokens.last_four',
  'tokens.user_id',
  'tokens.service_account_id',
  'tokens.expires_at',
  'tokens.revoked_at',
  'tokens.last_used_at',
  'tokens.created_at',
  'tokens.permissions',
  'tokens.team_path',
  'tokens.read_only',
  'tokens.families',
] as const

type StoredToken = Omit<RowOf<'tokens'>, 'tokenSha256'>

/** The subject that a token stands for. */
export interface TokenOwner {
  readonly kind: 'user' | 'service_account'
  readonly id: string
}

export interface TokenRow extends Omit<StoredToken, 'userId' | 'serviceAccountId' | keyof StoredLimits> {
  readonly owner: TokenOwner
  /** Undefined: it may do what its owner may. */
  readonly limits: Limits | undefined
}

type StoredLimits = Pick<StoredToken, 'permissions' | 'teamPath' | 'readOnly' | 'families'>

export interface TokenFilter extends Window {
  readonly everyone: boolean
  readonly userId: string | undefined
  /** This token alone. */
  readonly tokenId: string | undefined
  readonly prefixes: readonly string[]
}

export async function insertToken(db: Queryable, { owner, limits, ...row }: TokenRow, digest: Buffer): Promise<void> {
  await db
    .insertInto('tokens')
    .values({
      ...toSnake(row),
      permissions: limits?.permissions ? [...limits.permissions] : null,
      team_path: limits?.teamPath ?? null,
      read_only: limits?.isReadOnly ?? false,
      families: limits?.families ? [...limits.families] : null,
      token_sha256: limits ? digestWithLimits(digest) : digest,
      user_id: owner.kind === 'user' ? owner.id : null,
      service_account_id: owner.kind === 'service_account' ? owner.id : null,
    })
    .execute()
}

/**
 * Under which a token with limits is stored. A server of an older version, as it runs during an upgrade, knows no limits: it
 * looks for the digest of the token itself and finds none.
 */
function digestWithLimits(digest: Buffer): Buffer {
  return sha256(Buffer.concat([Buffer.from('limited '), digest]))
}

/** Served by the unique index on the digest. Revoked tokens are not found. */
export async function findLiveToken(db: Queryable, digest: Buffer): Promise<TokenRow | undefined> {
  const row = await db
    .selectFrom('tokens')
    .select(COLUMNS)
    .where('token_sha256', 'in', [digest, digestWithLimits(digest)])
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return row && toToken(toCamel(row))
}

export async function findToken(db: Queryable, id: string): Promise<TokenRow | undefined> {
  const row = await db.selectFrom('tokens').select(COLUMNS).where('id', '=', id).executeTakeFirst()
  return row && toToken(toCamel(row))
}

/** Tokens of one user, and those of service accounts of the teams below `prefixes`; all of them for `everyone`. */
export async function listTokens(db: Queryable, filter: TokenFilter): Promise<TokenRow[]> {
  let query = db
    .selectFrom('tokens')
    .leftJoin('service_accounts', 'service_accounts.id', 'tokens.service_account_id')
    .select(COLUMNS)
    .where('tokens.revoked_at', 'is', null)
    .orderBy('tokens.id', 'desc')
    .limit(filter.limit)
  if (filter.tokenId !== undefined) query = query.where('tokens.id', '=', filter.tokenId)
  else if (!filter.everyone) {
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
  return (await query.execute()).map((row) => toToken(toCamel(row)))
}

export async function revokeToken(db: Queryable, id: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tokens')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
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

function toToken({
  userId,
  serviceAccountId,
  permissions,
  teamPath,
  readOnly,
  families,
  ...row
}: StoredToken): TokenRow {
  const owner: TokenOwner =
    userId === null ? { kind: 'service_account', id: serviceAccountId ?? '' } : { kind: 'user', id: userId }
  return { ...row, owner, limits: toLimits({ permissions, teamPath, readOnly, families }) }
}

function toLimits({ permissions, teamPath, readOnly, families }: StoredLimits): Limits | undefined {
  if (permissions === null && teamPath === null && !readOnly && families === null) return undefined
  return {
    ...(permissions ? { permissions } : {}),
    ...(teamPath === null ? {} : { teamPath }),
    isReadOnly: readOnly,
    ...(families ? { families } : {}),
  }
}
