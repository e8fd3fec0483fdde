import type { Kit } from '#platform/room'
import { dropRows, listOld, lockRows } from '../store/packing.ts'

const DAY_MS = 86_400_000
const LOGS_AT_ONCE = 200

/** Removes the lines of every log that had its last one longer ago than logs are kept; the mark of it stays. */
export async function dropOldLogs(kit: Kit, signal: AbortSignal): Promise<void> {
  const { logRetentionDays } = kit.config
  if (logRetentionDays === 0) return
  for (;;) {
    const before = new Date(kit.clock.now().getTime() - logRetentionDays * DAY_MS)
    const old = await listOld(kit.database.kysely, before, LOGS_AT_ONCE)
    for (const attemptId of old) {
      if (signal.aborted) return
      await kit.database.transaction(async (tx) => {
        await lockRows(tx, attemptId)
        await dropRows(tx, attemptId, before, kit.clock.now())
      })
    }
    if (old.length < LOGS_AT_ONCE) return
  }
}
