import type { JobDefinition } from '#platform/jobs'
import type { Kit } from '#platform/room'
import { dropOldLogs } from './actions/drop-old-logs.ts'
import { packLogs } from './actions/pack-logs.ts'
import { rewriteLogs, SCRUB_JOB, type ScrubNeeds } from './actions/scrub-logs.ts'

export function logJobs(kit: Kit, needs: Pick<ScrubNeeds, 'runs'>): JobDefinition[] {
  return [
    { name: 'logs.pack', cron: '* * * * *', run: (_payload, signal) => packLogs(kit, signal) },
    // Never at the full hour, at which other installations on the same machine tidy up too.
    { name: 'logs.drop-old', cron: '17 * * * *', run: (_payload, signal) => dropOldLogs(kit, signal) },
    { name: SCRUB_JOB, run: (payload, signal) => rewriteLogs(kit, needs, readRunId(payload), signal) },
  ]
}

function readRunId(payload: unknown): string {
  if (typeof payload === 'object' && payload !== null && 'run_id' in payload && typeof payload.run_id === 'string') {
    return payload.run_id
  }
  throw new Error('A scrub names its run')
}
