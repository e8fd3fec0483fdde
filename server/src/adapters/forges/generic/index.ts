import type { Forge } from '../port.ts'
import { findSigningFault, SIGNATURE_HEADER, STANDARD_WEBHOOKS_HEADERS } from '../standard-webhooks.ts'
import { usualCloneUrl } from '../usual-clone-url.ts'
import { DECISIVE_HEADERS, deliveryId, eventType } from './names.ts'
import { read } from './read.ts'
import { BARE_SIGNATURE, verifySignature } from './signature.ts'

/**
 * Any sender of our own neutral events, signed by Standard Webhooks or as GitHub signs. Generic senders have no API to
 * be asked.
 */
export const generic: Forge = {
  id: 'generic',
  title: 'Generic',
  publicUrl: null,
  cloneUrl: usualCloneUrl,
  repositories: null,
  status: null,
  hooks: null,
  apps: null,
  checks: null,
  comments: null,
  deliveries: null,
  webhooks: {
    authModes: ['signature'],
    pausesAfter: null,
    credentialHeaders: [SIGNATURE_HEADER, BARE_SIGNATURE.key],
    notedHeaders: [SIGNATURE_HEADER],
    decisiveHeaders: [...STANDARD_WEBHOOKS_HEADERS, BARE_SIGNATURE.key, ...DECISIVE_HEADERS],
    findSecretFault: (_mode, secret) => findSigningFault(secret),
    verify: verifySignature,
    deliveryId,
    eventType,
    read,
  },
}
