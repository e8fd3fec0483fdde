import type { JobDefinition } from '#platform/jobs'
import type { Means } from './means.ts'
import * as store from './store.ts'

export function sessionJobs({ access, clock, database }: Means): JobDefinition[] {
  return [
    {
      name: 'sessions.drop-ended',
      cron: '17 * * * *',
      async run() {
        const at = clock.now()
        if (!(await store.hasEnded(database.kysely, at))) return
        await access.changeAccess((tx) => store.dropEnded(tx, at))
      },
    },
  ]
}
