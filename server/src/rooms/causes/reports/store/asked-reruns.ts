import type { Queryable, Tx } from '#platform/database'

/** Claims the rerun of a run for a delivery; false: the delivery had it before. */
export async function claimRerun(
  tx: Tx,
  asked: { readonly deliveryRecordId: string; readonly runId: string; readonly at: Date },
): Promise<boolean> {
  const result = await tx
    .insertInto('asked_reruns')
    .values({ delivery_record_id: asked.deliveryRecordId, run_id: asked.runId, asked_at: asked.at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function noteRerun(
  tx: Tx,
  {
    deliveryRecordId,
    runId,
    rerunId,
  }: { readonly deliveryRecordId: string; readonly runId: string; readonly rerunId: string },
): Promise<void> {
  await tx
    .updateTable('asked_reruns')
    .set({ rerun_id: rerunId })
    .where('delivery_record_id', '=', deliveryRecordId)
    .where('run_id', '=', runId)
    .execute()
}

export async function dropAsked(db: Queryable, before: Date): Promise<void> {
  await db.deleteFrom('asked_reruns').where('asked_at', '<', before).execute()
}
