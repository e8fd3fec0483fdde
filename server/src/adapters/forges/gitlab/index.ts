import type { Forge, VerificationRequest } from '../port.ts'
import { verifySharedToken } from '../shared-token.ts'
import { verifyStandardWebhooks } from '../standard-webhooks.ts'
import { deliveryId } from './headers.ts'
import { eventType, read } from './read.ts'
import { repositories } from './repositories.ts'
import { status } from './status.ts'

const TOKEN = { key: 'x-gitlab-token', title: 'X-Gitlab-Token' }

/** GitLab.com, GitLab Dedicated and Self-Managed: webhooks of projects and groups, and system hooks. */
export const gitlab: Forge = {
  id: 'gitlab',
  title: 'GitLab',
  publicUrl: 'https://gitlab.com',
  repositories,
  status,
  webhooks: {
    authModes: ['signature', 'token'],
    pausesAfter: 4,
    verify(request) {
      switch (request.authMode) {
        case 'signature':
          // GitLab may send its token along; it says nothing about the body and is never looked at here.
          return verifyStandardWebhooks(request)
        case 'token':
          return verifySharedToken({ ...request, secrets: asSent(request.secrets) }, TOKEN)
        case 'basic':
          return { outcome: 'mismatch', detail: 'GitLab has no auth mode "basic"; use "signature" or "token".' }
      }
    },
    deliveryId,
    eventType,
    read,
  },
}

/** GitLab takes line breaks out of the token before it sends it. */
function asSent(secrets: VerificationRequest['secrets']): VerificationRequest['secrets'] {
  return secrets.map((secret) => Buffer.from(secret.filter((byte) => byte !== 10 && byte !== 13)))
}
