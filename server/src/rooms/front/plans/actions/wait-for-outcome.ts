import type { Means } from '../means.ts'
import { findPlan } from '../store.ts'

/** Between the write and the note of its answer lie some milliseconds, unless the process died there. */
const LOOK_MS = 50
const LOOKS = 40

/** Waits until the answer of a plan that was just carried out is kept; at most two seconds. */
export async function waitForOutcome({ database, clock }: Means, id: string): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const plan = await findPlan(database.kysely, id)
    if (plan?.status !== 'confirmed' || plan.sealedOutcome !== null) return
    const age = clock.now().getTime() - (plan.endedAt?.getTime() ?? 0)
    if (age > LOOK_MS * LOOKS) return
    await clock.sleep(LOOK_MS)
  }
}
