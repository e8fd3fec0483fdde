import { verifyPrefixedSha256 } from '../hmac-signature.ts'
import type { Forge } from '../port.ts'
import { usualCloneUrl } from '../usual-clone-url.ts'
import { apps } from './app/index.ts'
import { checks } from './checks.ts'
import { comments } from './comments.ts'
import { deliveries } from './deliveries.ts'
import { DECISIVE_HEADERS, deliveryId, eventType } from './headers.ts'
import { hooks } from './hooks.ts'
import { read } from './read.ts'
import { repositories } from './repositories.ts'
import { status } from './status.ts'

const SIGNATURE = { key: 'x-hub-signature-256', title: 'X-Hub-Signature-256' }

/** GitHub.com, GitHub Enterprise Cloud and GitHub Enterprise Server: repository, organisation and app webhooks. */
export const github: Forge = {
  id: 'github',
  title: 'GitHub',
  publicUrl: 'https://github.com',
  cloneUrl: usualCloneUrl,
  repositories,
  status,
  hooks,
  apps,
  checks,
  comments,
  deliveries,
  webhooks: {
    authModes: ['signature'],
    pausesAfter: null,
    credentialHeaders: [SIGNATURE.key, 'x-hub-signature'],
    notedHeaders: [],
    decisiveHeaders: [SIGNATURE.key, ...DECISIVE_HEADERS],
    findSecretFault: () => null,
    // The SHA-1 header that comes along proves too little and is never looked at.
    verify: (request) => verifyPrefixedSha256(request, SIGNATURE),
    deliveryId,
    eventType,
    read,
  },
}
