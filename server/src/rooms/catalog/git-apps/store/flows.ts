import type { GitAppProvider } from '@signalbox/contracts/git-apps'
import { findOne, type Queryable, type RowOf, type Tx, toCamel, toSnake } from '#platform/database'

export type FlowRow = RowOf<'git_app_flows'>
/** What became of a registration whose state was spent. */
export type FlowEnd = NonNullable<FlowRow['outcome']>

type NewFlowRow = Omit<FlowRow, 'document' | 'exchanged' | 'exchangedKeyVersion' | 'outcome' | 'endedAt'> & {
  document: object
}

export async function insertFlow(db: Queryable, row: NewFlowRow): Promise<void> {
  await db
    .insertInto('git_app_flows')
    .values({ ...toSnake(row), document: JSON.stringify(row.document) })
    .execute()
}

export function findFlow(db: Queryable, stateSha256: Buffer): Promise<FlowRow | undefined> {
  return findOne(db.selectFrom('git_app_flows').selectAll().where('state_sha256', '=', stateSha256))
}

/** The newest registration of the provider. */
export function findNewestRegistration(db: Queryable, provider: GitAppProvider): Promise<FlowRow | undefined> {
  const of = db.selectFrom('git_app_flows').selectAll().where('provider', '=', provider).where('flow', '=', 'register')
  return findOne(of.orderBy('created_at', 'desc').limit(1))
}

/** Whoever finishes a registration holds its row: a second one waits, and then finds it ended. */
export function lockFlow(tx: Tx, stateSha256: Buffer): Promise<FlowRow | undefined> {
  return findOne(tx.selectFrom('git_app_flows').selectAll().where('state_sha256', '=', stateSha256).forUpdate())
}

/** The answer of a provider, sealed, with the version of secret_key that sealed it. */
export interface SealedAnswer {
  readonly stateSha256: Buffer
  readonly exchanged: Buffer
  readonly keyVersion: number
}

export async function keepAnswer(db: Queryable, { stateSha256, exchanged, keyVersion }: SealedAnswer): Promise<void> {
  await db
    .updateTable('git_app_flows')
    .set({ exchanged, exchanged_key_version: keyVersion })
    .where('state_sha256', '=', stateSha256)
    .execute()
}

/**
 * Waiting answers that an older version of secret_key sealed, or a server that noted no version. Locked: whoever
 * finishes one of them meanwhile needs it no more.
 */
export async function claimAnswersSealedBefore(
  tx: Tx,
  keyVersion: number,
): Promise<Pick<SealedAnswer, 'stateSha256' | 'exchanged'>[]> {
  const rows = await tx
    .selectFrom('git_app_flows')
    .select(['state_sha256', 'exchanged'])
    .where('exchanged', 'is not', null)
    .$narrowType<{ exchanged: Buffer }>()
    .where((is) => is.or([is('exchanged_key_version', '<', keyVersion), is('exchanged_key_version', 'is', null)]))
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(toCamel)
}

/** The answer goes with the end: a key is kept in one place. */
export async function endFlow(
  db: Queryable,
  { stateSha256, outcome, at }: { readonly stateSha256: Buffer; readonly outcome: FlowEnd; readonly at: Date },
): Promise<void> {
  await db
    .updateTable('git_app_flows')
    .set({ outcome, ended_at: at, exchanged: null, exchanged_key_version: null })
    .where('state_sha256', '=', stateSha256)
    .where('outcome', 'is', null)
    .execute()
}

/** Answers whether this call spent it: of two at once one does, and nobody after that. */
export async function consumeFlow(db: Queryable, stateSha256: Buffer, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('git_app_flows')
    .set({ consumed_at: at })
    .where('state_sha256', '=', stateSha256)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function dropFlows(db: Queryable, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('git_app_flows').where('expires_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}
