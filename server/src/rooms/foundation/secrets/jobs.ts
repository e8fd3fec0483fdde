import type { JobDefinition } from '#platform/jobs'
import type { Kit } from '#platform/room'
import { resealSecrets } from './actions/reseal-secrets.ts'

export function secretJobs(kit: Kit): JobDefinition[] {
  return [
    {
      name: 'secrets.reseal',
      // Nothing to do but one indexed look, unless a new key version was configured since.
      cron: '*/5 * * * *',
      run: async (_payload, signal) => void (await resealSecrets(kit, signal)),
    },
  ]
}
