import { findOne, type Queryable, type RowOf, toSnake } from '#platform/database'

export type FlowRow = RowOf<'git_app_flows'>

export async function insertFlow(db: Queryable, row: Omit<FlowRow, 'document'> & { document: object }): Promise<void> {
  await db
    .insertInto('git_app_flows')
    .values({ ...toSnake(row), document: JSON.stringify(row.document) })
    .execute()
}

export function findFlow(db: Queryable, stateSha256: Buffer): Promise<FlowRow | undefined> {
  return findOne(db.selectFrom('git_app_flows').selectAll().where('state_sha256', '=', stateSha256))
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
