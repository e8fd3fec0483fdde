import { BASIC_AUTH_HEADER, findPasswordFault, verifyBasicAuth } from '../basic-auth.ts'
import { verifyPrefixedSha256 } from '../hmac-signature.ts'
import type { Forge } from '../port.ts'
import { comments } from './comments.ts'
import { DECISIVE_HEADERS, deliveryId, eventType } from './headers.ts'
import { hooks } from './hooks.ts'
import { read } from './read.ts'
import { repositories } from './repositories.ts'
import { scmAddress } from './repository.ts'
import { status } from './status.ts'

const SIGNATURE = { key: 'x-hub-signature', title: 'X-Hub-Signature' }

/** Bitbucket Data Center, and Bitbucket Server before it: webhooks of repositories and projects. */
export const bitbucketDatacenter: Forge = {
  id: 'bitbucket_datacenter',
  title: 'Bitbucket Data Center',
  publicUrl: null,
  cloneUrl: scmAddress,
  repositories,
  status,
  hooks,
  apps: null,
  checks: null,
  comments,
  deliveries: null,
  webhooks: {
    authModes: ['signature', 'basic'],
    pausesAfter: 5,
    credentialHeaders: [SIGNATURE.key, BASIC_AUTH_HEADER],
    notedHeaders: [],
    decisiveHeaders: [SIGNATURE.key, BASIC_AUTH_HEADER, ...DECISIVE_HEADERS],
    findSecretFault: (mode, secret) => (mode === 'basic' ? findPasswordFault(secret) : null),
    verify: (request) =>
      request.authMode === 'basic' ? verifyBasicAuth(request) : verifyPrefixedSha256(request, SIGNATURE),
    deliveryId,
    eventType,
    read,
  },
}
