import { addressOfApi, addressOfPages } from '#platform/config'
import { browserAccessOf, createAddressLimiter } from '#platform/http'
import { defineRoom } from '#platform/room'
import { identityProblem } from './errors.ts'
import type { Asked, Means } from './means.ts'
import { identityRoutes } from './routes.ts'

/** Two for each sign-in; many people may share an address. */
const PER_MINUTE = 120

/** Nobody asks this room anything: it signs people in, and answers its routes. */
export const identities = defineRoom<undefined, Asked>({
  name: 'foundation/identities',
  open(kit, asked) {
    const means: Means = {
      ...kit,
      ...asked,
      providers: new Map(kit.config.signInProviders.map((provider) => [provider.id, provider])),
      browsers: browserAccessOf(kit.config),
      pages: addressOfPages(kit.config),
      api: addressOfApi(kit.config),
      rate: createAddressLimiter({ perMinute: PER_MINUTE, burst: PER_MINUTE, maxKeys: 10_000, clock: kit.clock }),
    }
    return { door: undefined, problems: [identityProblem], routes: identityRoutes(means) }
  },
})
