import type { Caller } from '#platform/http'
import type { Means } from '../means.ts'
import { explainQueue } from '../rules/explain-queue.ts'
import { explain } from './describe-run.ts'
import { findPlace, MOST_COUNTED } from './find-place.ts'
import { findVisibleRun } from './find-visible-run.ts'
import { judgeQueue } from './judge-queue.ts'

/** Why a queued run has not begun; null for one that has. Throws 404 for a run that the viewer may not see. */
export async function explainWait(means: Means, viewer: Caller, id: string): Promise<string | null> {
  const run = await findVisibleRun(means, viewer, id)
  if (run.status !== 'queued') return null
  const db = means.database.kysely
  const withheld = await explain(db, run)
  if (withheld !== undefined) return withheld
  const place = await findPlace(means.clock, db, run)
  return explainQueue(await judgeQueue(means, db, run), place.before, MOST_COUNTED)
}
