import type { ForgeWebhooks } from '../port.ts'
import type { Dialect } from './dialect.ts'
import { deliveryId, eventType } from './headers.ts'
import { read } from './read.ts'
import { verify } from './verify.ts'

/** The incoming half of Gitea or one of its relatives. */
export function webhooksOf(dialect: Dialect): ForgeWebhooks {
  const credentialHeaders = dialect.signatures.map(({ key }) => key)
  return {
    authModes: ['signature'],
    pausesAfter: null,
    credentialHeaders,
    notedHeaders: [],
    decisiveHeaders: [...credentialHeaders, ...dialect.deliveryIds, ...dialect.eventTypes.map(({ key }) => key)],
    findSecretFault: () => null,
    verify: (request) => verify(dialect, request),
    deliveryId: (headers) => deliveryId(dialect, headers),
    eventType: (headers) => eventType(dialect, headers),
    read: (headers, rawBody) => read(dialect, headers, rawBody),
  }
}
