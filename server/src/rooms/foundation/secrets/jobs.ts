import type { JobDefinition } from '#platform/jobs'
import { resealSecrets } from './actions/reseal-secrets.ts'
import type { Means } from './means.ts'

export function secretJobs(means: Means): JobDefinition[] {
  return [
    {
      name: 'secrets.reseal',
      // Nothing to do but one indexed look, unless a new key version was configured since.
      cron: '*/5 * * * *',
      run: async (_payload, signal) => void (await resealSecrets(means, signal)),
    },
  ]
}
