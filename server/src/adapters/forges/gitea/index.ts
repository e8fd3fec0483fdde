import type { Forge } from '../port.ts'
import { usualCloneUrl } from '../usual-clone-url.ts'
import { callOf } from './api.ts'
import { appsOf } from './apps.ts'
import { comments } from './comments.ts'
import type { Dialect } from './dialect.ts'
import { EVENTS, hooksOf, SCOPE } from './hooks.ts'
import { readEnds } from './pull-request.ts'
import { repositories } from './repositories.ts'
import { status } from './status.ts'
import { webhooksOf } from './webhooks.ts'

const DIALECT: Dialect = {
  id: 'gitea',
  title: 'Gitea',
  signatures: [
    { key: 'x-gitea-signature', title: 'X-Gitea-Signature', prefixed: false },
    { key: 'x-hub-signature-256', title: 'X-Hub-Signature-256', prefixed: true },
  ],
  deliveryIds: ['x-gitea-delivery'],
  eventTypes: [
    { key: 'x-gitea-event', title: 'X-Gitea-Event' },
    { key: 'x-gitea-event-type', title: 'X-Gitea-Event-Type' },
  ],
  // No push tells that a branch is gone; every other notice has one beside it.
  notices: { created: { branch: 'ref', tag: 'ref' }, deleted: { branch: 'branch_deleted', tag: 'ref' } },
  draftPrefixes: ['WIP:', '[WIP]'],
  readPullRequestEnds: readEnds,
}

/** Gitea: webhooks of repositories, organisations and the whole installation. */
export const gitea: Forge = {
  id: 'gitea',
  title: 'Gitea',
  publicUrl: null,
  cloneUrl: usualCloneUrl,
  repositories,
  status,
  hooks: hooksOf({ type: 'gitea', events: EVENTS, right: SCOPE, sendsTests: true }, callOf),
  apps: appsOf('Gitea'),
  checks: null,
  comments,
  deliveries: null,
  webhooks: webhooksOf(DIALECT),
}
