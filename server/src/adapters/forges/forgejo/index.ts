import { callOf } from '../gitea/api.ts'
import { appsOf } from '../gitea/apps.ts'
import { comments } from '../gitea/comments.ts'
import type { Dialect } from '../gitea/dialect.ts'
import { EVENTS, hooksOf, SCOPE } from '../gitea/hooks.ts'
import { readEnds } from '../gitea/pull-request.ts'
import { repositories } from '../gitea/repositories.ts'
import { status } from '../gitea/status.ts'
import { webhooksOf } from '../gitea/webhooks.ts'
import type { Forge } from '../port.ts'
import { usualCloneUrl } from '../usual-clone-url.ts'

/** Forgejo still sends all of Gitea's headers beside its own, and its first versions sent only those. */
const DIALECT: Dialect = {
  id: 'forgejo',
  title: 'Forgejo',
  signatures: [
    { key: 'x-forgejo-signature', title: 'X-Forgejo-Signature', prefixed: false },
    { key: 'x-gitea-signature', title: 'X-Gitea-Signature', prefixed: false },
    { key: 'x-hub-signature-256', title: 'X-Hub-Signature-256', prefixed: true },
  ],
  deliveryIds: ['x-forgejo-delivery', 'x-gitea-delivery'],
  eventTypes: [
    { key: 'x-forgejo-event', title: 'X-Forgejo-Event' },
    { key: 'x-gitea-event', title: 'X-Gitea-Event' },
    { key: 'x-forgejo-event-type', title: 'X-Forgejo-Event-Type' },
    { key: 'x-gitea-event-type', title: 'X-Gitea-Event-Type' },
  ],
  // No push tells that a branch is gone; every other notice has one beside it.
  notices: { created: { branch: 'ref', tag: 'ref' }, deleted: { branch: 'branch_deleted', tag: 'ref' } },
  draftPrefixes: ['WIP:', '[WIP]'],
  readPullRequestEnds: readEnds,
}

/** Forgejo, such as Codeberg: webhooks of repositories, organisations and the whole installation. */
export const forgejo: Forge = {
  id: 'forgejo',
  title: 'Forgejo',
  publicUrl: null,
  cloneUrl: usualCloneUrl,
  repositories,
  status,
  hooks: hooksOf({ type: 'forgejo', events: EVENTS, right: SCOPE, sendsTests: true }, callOf),
  apps: appsOf('Forgejo'),
  checks: null,
  comments,
  deliveries: null,
  webhooks: webhooksOf(DIALECT),
}
