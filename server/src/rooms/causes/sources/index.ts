import type { DeliveryVerification, Forge, VerificationRequest, WebhookHeaders } from '#adapters/forges'
import { openDays } from '#platform/database'
import { defineRoom } from '#platform/room'
import type { AboveEvents, Events } from '#rooms/causes/events'
import type { AboveOverrides, Overrides } from '#rooms/causes/overrides'
import type { AboveTriggers, Triggers } from '#rooms/causes/triggers'
import type { Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { AboveSecrets, Secrets } from '#rooms/foundation/secrets'
import type { Teams } from '#rooms/foundation/teams'
import { createPermissionMemory } from './actions/ask-permissions.ts'
import { mayConnect, vouchFrom } from './actions/check-connection.ts'
import { queueKeeping } from './actions/keep-connections.ts'
import { createPauses } from './actions/pause-calls.ts'
import { reportStarts } from './actions/queue-reports.ts'
import { readDeliveriesOf } from './actions/serve-deliveries.ts'
import { completeDelivery, connectionsOf, repositoryOf } from './actions/serve-events.ts'
import { sourceProblem } from './errors.ts'
import { openIngress } from './ingress/ingress.ts'
import { sourceJobs } from './jobs.ts'
import { sourceReactions } from './reactions.ts'
import { sourceRoutes } from './routes/index.ts'
import { simulationRoutes } from './routes/simulation.ts'
import { keptDays } from './store/retention.ts'
import { listUsersOf } from './store/sources.ts'

export type { SourceDeleted } from './facts.ts'

/** The answers to what lower rooms ask; the house hands them down. */
export interface Sources extends AboveSecrets, AboveOverrides, AboveTriggers, AboveEvents {}

/** The providers that house.ts hands in. */
export interface Forges {
  readonly ids: readonly string[]
  find(provider: string): Forge | undefined
  /** Verifies and reads a delivery. */
  verifyDelivery(forge: Forge, request: VerificationRequest): DeliveryVerification | Promise<DeliveryVerification>
  /** Bodies of this size and above take long to verify. */
  readonly largeBytes: number
  /** The first header that decides something for the forge and came twice. */
  findRepeatedHeader(forge: Forge, rawHeaders: readonly string[], headers: WebhookHeaders): string | undefined
  /** Headers as they are kept with a payload, less credentials. */
  keepHeaders(headers: WebhookHeaders): Readonly<Record<string, string>>
  /** A kept body as it is shown: its text where it is nothing that could be written out again. */
  readStored(text: string): unknown
}

export interface SourceNeeds {
  readonly audit: Audit
  readonly teams: Pick<Teams, 'findTeam'>
  readonly secrets: Pick<Secrets, 'read' | 'markUsed' | 'listVersions'>
  readonly overrides: Pick<Overrides, 'finder'>
  readonly access: Pick<Access, 'snapshot'>
  readonly triggers: Pick<
    Triggers,
    'matcher' | 'findNearMisses' | 'naming' | 'countBySource' | 'countFed' | 'sourceDeleted' | 'draft' | 'changed'
  >
  readonly events: Pick<
    Events,
    | 'plan'
    | 'foresee'
    | 'admission'
    | 'isRepeated'
    | 'repeatThemselves'
    | 'markRepeated'
    | 'readsPaths'
    | 'list'
    | 'find'
  >
  readonly runs: Pick<Runs, 'findStanding'>
  readonly forges: Forges
  /** Called after a commit that queued runs, so that they need not wait for a poll. */
  readonly onRunsQueued: () => void
}

export const sources = defineRoom<Sources, SourceNeeds>({
  name: 'causes/sources',
  async open(kit, needs) {
    const { deliveries, payloads } = keptDays(kit)
    await openDays(kit.log, [deliveries, payloads])
    const ingress = openIngress(kit, needs)
    const readDeliveries = readDeliveriesOf(kit, ingress)
    const serving = { ...needs, permissions: createPermissionMemory(kit.clock), names: ingress.names }
    return {
      door: {
        secretsChanged() {
          ingress.book.invalidate()
          // A change that is not noted here is noticed by the next round of the job.
          queueKeeping(kit, kit.database.kysely).catch((error: unknown) => {
            kit.log.debug({ err: error }, 'webhooks learn of a new secret later')
          })
        },
        findUsers: async (tx, credentialRef) =>
          (await listUsersOf(tx, credentialRef)).map((name) => `the webhook source ${name}`),
        listSources: () => vouchFrom(needs, ingress),
        mayConnect,
        readDeliveries,
        repositoryOf: (sourceId, event) => repositoryOf(kit, serving, sourceId, event),
        async completeDelivery(tx, completion) {
          const trace = await completeDelivery(tx, completion)
          await reportStarts(kit, tx, completion)
          return trace
        },
        connectionsOf: (caller, event) => connectionsOf(kit, serving, readDeliveries, caller, event),
      },
      problems: [sourceProblem],
      routes: [...sourceRoutes(kit, needs, ingress), ...simulationRoutes(kit, needs, readDeliveries)],
      jobs: sourceJobs(kit, { needs, metrics: ingress.metrics, pauses: createPauses(kit.clock) }),
      reactions: sourceReactions(kit, needs.runs, ingress.book),
      async close() {
        await ingress.committer.settle()
        ingress.book.close()
        ingress.names.close()
      },
    }
  },
})
