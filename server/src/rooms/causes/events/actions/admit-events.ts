import { constants, zstdCompressSync } from 'node:zlib'
import type { Queryable } from '#platform/database'
import type { EventNeeds } from '../index.ts'
import * as store from '../store.ts'
import type { EventPlan } from './plan-event.ts'

export async function admitEvents(needs: EventNeeds, db: Queryable, plans: readonly EventPlan[]): Promise<void> {
  if (plans.length === 0) return
  const events = plans.map((plan) => plan.event)
  await store.insertEvents(db, plans, zstdCompressSync(JSON.stringify(events), COMPRESSION))
  const runs = plans.flatMap((plan) => plan.runs)
  if (runs.length > 0) await needs.runs.queue(db, runs)
}

const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
