import type { JobDefinition } from '#platform/jobs'
import { dropOldLogs } from './actions/drop-old-logs.ts'
import { packLogs } from './actions/pack-logs.ts'
import { rewriteLogs, SCRUB_JOB } from './actions/scrub-logs.ts'
import type { Means } from './means.ts'

export function logJobs(means: Means): JobDefinition[] {
  return [
    { name: 'logs.pack', cron: '* * * * *', run: (_payload, signal) => packLogs(means, signal) },
    // Never at the full hour, at which other installations on the same machine tidy up too.
    { name: 'logs.drop-old', cron: '17 * * * *', run: (_payload, signal) => dropOldLogs(means, signal) },
    { name: SCRUB_JOB, run: (payload, signal) => rewriteLogs(means, readRunId(payload), signal) },
  ]
}

function readRunId(payload: unknown): string {
  if (typeof payload === 'object' && payload !== null && 'run_id' in payload && typeof payload.run_id === 'string') {
    return payload.run_id
  }
  throw new Error('A scrub names its run')
}
