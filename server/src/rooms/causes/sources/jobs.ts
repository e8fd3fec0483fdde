import type { JobDefinition } from '#platform/jobs'
import { KEEP_CONNECTIONS_JOB, keepConnections } from './actions/keep-connections.ts'
import type { Means } from './means.ts'
import { forgetNames } from './store/repository-names.ts'
import * as store from './store/retention.ts'

const DAY_MS = 86_400_000
const BATCH = 1000

export function sourceJobs(means: Means): JobDefinition[] {
  const days = store.keptDays(means)
  return [
    {
      name: 'sources.keep-days',
      cron: '7 * * * *',
      async run() {
        await days.deliveries.ensure()
        await days.payloads.ensure()
      },
    },
    {
      name: 'sources.drop-old-deliveries',
      cron: '17 * * * *',
      async run(_payload, signal) {
        const now = means.clock.now().getTime()
        const { deliveryRetentionDays, deliveryRecordRetentionDays } = means.config
        await days.payloads.dropBefore(new Date(now - deliveryRetentionDays * DAY_MS), signal)
        const before = new Date(now - deliveryRecordRetentionDays * DAY_MS)
        // A key whose record is gone would make each repetition of its delivery fail: keys go first.
        while (!signal.aborted && (await store.dropKeys(means.database.kysely, before, BATCH)) === BATCH);
        if (!signal.aborted) await days.deliveries.dropBefore(before, signal)
      },
    },
    {
      name: store.DELETE_DELIVERIES_JOB,
      async run(payload, signal) {
        const sourceId = readSourceId(payload)
        if (sourceId === undefined) return
        while (!signal.aborted && (await store.dropOfSource(means.database.kysely, sourceId, BATCH)) > 0);
        await forgetNames(means.database.kysely, sourceId)
        if (signal.aborted) throw new Error('the process ends; what is left of the source goes later')
      },
    },
    {
      name: KEEP_CONNECTIONS_JOB,
      cron: '*/5 * * * *',
      // A provider that hangs delays no other.
      apart: 1,
      run: (_payload, signal) => keepConnections(means, signal),
    },
  ]
}

function readSourceId(payload: unknown): string | undefined {
  const known = typeof payload === 'object' && payload !== null && 'sourceId' in payload ? payload.sourceId : undefined
  return typeof known === 'string' ? known : undefined
}
