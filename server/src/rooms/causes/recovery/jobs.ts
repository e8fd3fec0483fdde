import type { JobDefinition } from '#platform/jobs'
import { LOOK_JOB } from './actions/ask-to-look.ts'
import { compareHeads } from './actions/compare-heads.ts'
import { lookEverywhere } from './actions/look-back.ts'
import type { Means } from './means.ts'
import * as store from './store/index.ts'

const DAY_MS = 86_400_000
const BATCH = 1000
/** GitLab's log is seven days long: what it still shows must not be asked for as if it were new. */
const KEPT_DAYS = 8
/** Heads of repositories that told of nothing for so long are noted anew when they do. */
const UNHEARD_DAYS = 30

export function recoveryJobs(means: Means): JobDefinition[] {
  return [
    {
      name: 'recovery.look-everywhere',
      cron: '*/5 * * * *',
      // A provider that hangs delays no other job.
      apart: 1,
      run: (_payload, signal) => lookEverywhere(means, undefined, signal),
    },
    {
      name: 'recovery.compare-heads',
      cron: '*/5 * * * *',
      apart: 1,
      run: (_payload, signal) => compareHeads(means, undefined, signal),
    },
    {
      name: LOOK_JOB,
      apart: 1,
      async run(payload, signal) {
        const sourceId =
          typeof payload === 'object' && payload !== null && 'sourceId' in payload ? payload.sourceId : undefined
        if (typeof sourceId !== 'string') return
        await lookEverywhere(means, sourceId, signal)
        await compareHeads(means, sourceId, signal)
      },
    },
    {
      name: 'recovery.drop-old',
      cron: '47 * * * *',
      async run(_payload, signal) {
        // The record of what came back is younger, and says so while it is kept.
        const days = means.config.deliveryRecordRetentionDays + KEPT_DAYS
        const before = new Date(means.clock.now().getTime() - days * DAY_MS)
        const db = means.database.kysely
        while (!signal.aborted && (await store.dropRecoveries(db, before, BATCH)) === BATCH);
        const unheard = new Date(means.clock.now().getTime() - UNHEARD_DAYS * DAY_MS)
        while (!signal.aborted && (await store.dropUnheard(db, unheard, BATCH)) === BATCH);
      },
    },
  ]
}
