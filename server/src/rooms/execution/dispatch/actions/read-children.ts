import type { Tx } from '#platform/database'
import type { ProgressStore } from '#rooms/execution/runs'
import type { InboxItem } from '../rules/inbox.ts'

/** The final outputs of the children that have ended, by run id: what their parents' tasks put out. */
export async function readChildren(
  progress: Pick<ProgressStore, 'readFinalOutputs'>,
  tx: Tx,
  items: readonly InboxItem[],
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const ids = items.flatMap((item) => (item.kind === 'child_over' ? [item.child.runId] : []))
  return ids.length === 0 ? new Map() : await progress.readFinalOutputs(tx, ids)
}
