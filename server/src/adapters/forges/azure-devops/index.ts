import { BASIC_AUTH_HEADER, findPasswordFault, verifyBasicAuth } from '../basic-auth.ts'
import type { Forge } from '../port.ts'
import { comments } from './comments.ts'
import { deliveryId, eventType } from './envelope.ts'
import { hooks } from './hooks.ts'
import { gitAddress } from './names.ts'
import { read } from './read.ts'
import { repositories } from './repositories.ts'
import { status } from './status.ts'

/** Azure DevOps Services and Server: service hooks of Azure Repos. The consumer "Web Hooks" signs nothing. */
export const azureDevops: Forge = {
  id: 'azure_devops',
  title: 'Azure DevOps',
  publicUrl: null,
  cloneUrl: gitAddress,
  repositories,
  status,
  hooks,
  apps: null,
  checks: null,
  comments,
  deliveries: null,
  webhooks: {
    authModes: ['basic'],
    // A 4xx restricts a subscription at once, until it was answered well on probation.
    pausesAfter: 1,
    credentialHeaders: [BASIC_AUTH_HEADER],
    notedHeaders: [],
    decisiveHeaders: [BASIC_AUTH_HEADER],
    findSecretFault: (_mode, secret) => findPasswordFault(secret),
    verify: verifyBasicAuth,
    deliveryId,
    eventType,
    read,
  },
}
