import type { Forge, Verification, VerificationRequest } from '../port.ts'
import { verifySharedToken } from '../shared-token.ts'
import {
  findSigningFault,
  SIGNATURE_HEADER,
  STANDARD_WEBHOOKS_HEADERS,
  verifyStandardWebhooks,
} from '../standard-webhooks.ts'
import { usualCloneUrl } from '../usual-clone-url.ts'
import { apps } from './apps.ts'
import { comments } from './comments.ts'
import { deliveries } from './deliveries.ts'
import { DECISIVE_HEADERS, deliveryId } from './headers.ts'
import { hooks } from './hooks.ts'
import { eventType, read } from './read.ts'
import { repositories } from './repositories.ts'
import { status } from './status.ts'

const TOKEN = { key: 'x-gitlab-token', title: 'X-Gitlab-Token' }

/** GitLab.com, GitLab Dedicated and Self-Managed: webhooks of projects and groups, and system hooks. */
export const gitlab: Forge = {
  id: 'gitlab',
  title: 'GitLab',
  publicUrl: 'https://gitlab.com',
  cloneUrl: usualCloneUrl,
  repositories,
  status,
  hooks,
  apps,
  checks: null,
  comments,
  deliveries,
  webhooks: {
    authModes: ['signature', 'token'],
    pausesAfter: 4,
    credentialHeaders: [SIGNATURE_HEADER, TOKEN.key],
    notedHeaders: [],
    decisiveHeaders: [...STANDARD_WEBHOOKS_HEADERS, TOKEN.key, ...DECISIVE_HEADERS],
    findSecretFault: (mode, secret) => (mode === 'signature' ? findSigningFault(secret) : null),
    verify: (request) =>
      request.authMode === 'token'
        ? verifySharedToken({ ...request, secrets: asSent(request.secrets) }, TOKEN)
        : explainToken(verifyStandardWebhooks(request), request),
    deliveryId,
    eventType,
    read,
  },
}

/**
 * GitLab may send its token, too. The token proves nothing about the body and never counts here, but tells how the
 * webhook was set up.
 */
function explainToken(verification: Verification, { headers }: VerificationRequest): Verification {
  if (verification.outcome !== 'missing' || headers[TOKEN.key] === undefined) return verification
  const remedy = 'enter the secret at GitLab as signing token, or use a source with auth_mode "token".'
  return { outcome: 'missing', detail: `The delivery has X-Gitlab-Token and no webhook-signature: ${remedy}` }
}

/** GitLab takes line breaks out of the token before it sends it. */
function asSent(secrets: VerificationRequest['secrets']): VerificationRequest['secrets'] {
  return secrets.map((secret) => Buffer.from(secret.filter((byte) => byte !== 10 && byte !== 13)))
}
