import type { Kit } from '#platform/room'
import * as store from './store/grants.ts'

/** The ways to sign in to this installation; OpenID Connect joins when it is configured. */
const CAPABILITIES = [
  ['local', 'password'],
  ['local', 'token'],
] as const

/** Series about identity and grants, for GET /metrics. */
export function registerAccessMetrics(kit: Kit): void {
  const capability = kit.metrics.gauge(
    'signalbox_identity_provider_capability',
    'Whether an identity provider offers a capability',
    ['provider', 'capability'],
  )
  for (const [provider, name] of CAPABILITIES) capability.set({ provider, capability: name }, 1)
  const grants = kit.metrics.gauge('signalbox_authorization_grants', 'Grants, by kind of owner and role', [
    'owner_kind',
    'role',
  ])
  kit.metrics.onScrape(async () => {
    const counts = await store.countGrants(kit.database.kysely)
    grants.reset()
    for (const { ownerKind, role, count } of counts) grants.set({ owner_kind: ownerKind, role }, count)
  })
}
