import type { Kit } from '#platform/room'
import * as store from './store/grants.ts'

/** Series about identity and grants, for GET /metrics. */
export function registerAccessMetrics(kit: Kit): void {
  const capability = kit.metrics.gauge(
    'signalbox_identity_provider_capability',
    'Whether an identity provider offers a capability',
    ['provider', 'capability'],
  )
  const { passwordSignIn, signInProviders } = kit.config
  capability.set({ provider: 'local', capability: 'token' }, 1)
  capability.set({ provider: 'local', capability: 'password' }, passwordSignIn ? 1 : 0)
  for (const { id } of signInProviders) capability.set({ provider: id, capability: 'openid' }, 1)
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
