import type { JobDefinition } from '#platform/jobs'
import type { Kit } from '#platform/room'
import { KEPT_MS } from './rules/index.ts'
import { dropPlans } from './store.ts'

export function planJobs({ clock, database }: Kit): JobDefinition[] {
  return [
    {
      name: 'plans.drop-old',
      cron: '17 3 * * *',
      run: () => dropPlans(database.kysely, new Date(clock.now().getTime() - KEPT_MS)),
    },
  ]
}
