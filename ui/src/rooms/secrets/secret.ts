import type { ItemOf } from '@signalbox/contracts/http/requests'
import type { secretRoutes } from '@signalbox/contracts/secrets/routes'

/** What is known of a stored secret. */
export type Secret = ItemOf<typeof secretRoutes.listSecrets>
