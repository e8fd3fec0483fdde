import type { Forge } from '#adapters/forges'
import { defineRoom } from '#platform/room'
import type { Events } from '#rooms/causes/events'
import type { Triggers } from '#rooms/causes/triggers'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { Secrets } from '#rooms/foundation/secrets'
import type { Teams } from '#rooms/foundation/teams'
import { mayConnect } from './actions/check-connection.ts'
import { openIngress } from './actions/open-ingress.ts'
import { sourceJobs } from './jobs.ts'
import { sourceRoutes } from './routes.ts'

export type { SourceDeleted } from './facts.ts'

/** Nobody asks this room for anything yet. */
export type Sources = Readonly<Record<never, never>>

/** The providers that house.ts hands in. */
export interface Forges {
  readonly ids: readonly string[]
  find(provider: string): Forge | undefined
}

export interface SourceNeeds {
  readonly audit: Audit
  readonly teams: Pick<Teams, 'findTeam'>
  readonly secrets: Pick<Secrets, 'read' | 'markUsed'>
  readonly access: Pick<Access, 'snapshot'>
  readonly triggers: Pick<Triggers, 'matcher' | 'countBySource' | 'sourceDeleted' | 'checkSourcesWith' | 'changed'>
  readonly events: Pick<Events, 'plan' | 'admission'>
  readonly forges: Forges
  /** Called after a commit that queued runs, so that they need not wait for a poll. */
  readonly onRunsQueued: () => void
}

export const sources = defineRoom<Sources, SourceNeeds>({
  name: 'causes/sources',
  open(kit, needs) {
    const ingress = openIngress(kit, needs)
    needs.triggers.checkSourcesWith(mayConnect)
    return {
      door: {},
      routes: sourceRoutes(kit, needs, ingress),
      jobs: sourceJobs(kit),
      async close() {
        await ingress.committer.settle()
        ingress.book.close()
      },
    }
  },
})
