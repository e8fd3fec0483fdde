import { verifyPrefixedSha256 } from '../hmac-signature.ts'
import type { Forge } from '../port.ts'
import { usualCloneUrl } from '../usual-clone-url.ts'
import { comments } from './comments.ts'
import { DECISIVE_HEADERS, deliveryId, eventType } from './headers.ts'
import { hooks } from './hooks.ts'
import { read } from './read.ts'
import { repositories } from './repositories.ts'
import { status } from './status.ts'

const SIGNATURE = { key: 'x-hub-signature', title: 'X-Hub-Signature' }

/** Bitbucket Cloud: webhooks of repositories and workspaces. */
export const bitbucket: Forge = {
  id: 'bitbucket',
  title: 'Bitbucket Cloud',
  publicUrl: 'https://bitbucket.org',
  cloneUrl: usualCloneUrl,
  repositories,
  status,
  hooks,
  apps: null,
  checks: null,
  comments,
  deliveries: null,
  webhooks: {
    authModes: ['signature'],
    pausesAfter: null,
    credentialHeaders: [SIGNATURE.key],
    notedHeaders: [],
    decisiveHeaders: [SIGNATURE.key, ...DECISIVE_HEADERS],
    findSecretFault: () => null,
    // Elsewhere this header holds a SHA-1 digest. Here its prefix must say SHA-256.
    verify: (request) => verifyPrefixedSha256(request, SIGNATURE),
    deliveryId,
    eventType,
    read,
  },
}
