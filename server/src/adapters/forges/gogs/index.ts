import type { Dialect } from '../gitea/dialect.ts'
import { hooksOf } from '../gitea/hooks.ts'
import { webhooksOf } from '../gitea/webhooks.ts'
import type { Forge } from '../port.ts'
import { usualCloneUrl } from '../usual-clone-url.ts'
import { readFlatEnds } from './pull-request-ends.ts'
import { callOf, repositories } from './repositories.ts'

const DIALECT: Dialect = {
  id: 'gogs',
  title: 'Gogs',
  signatures: [{ key: 'x-gogs-signature', title: 'X-Gogs-Signature', prefixed: false }],
  deliveryIds: ['x-gogs-delivery'],
  eventTypes: [{ key: 'x-gogs-event', title: 'X-Gogs-Event' }],
  // Pushes tell of commits on branches only: tags need `create` and `delete`.
  notices: { created: { branch: 'ref', tag: 'tag' }, deleted: { branch: 'branch_deleted', tag: 'tag_deleted' } },
  draftPrefixes: [],
  readPullRequestEnds: readFlatEnds,
}

/** Pushes tell of commits on branches only: without `create` and `delete` nobody hears of tags. */
const EVENTS = ['create', 'delete', 'push', 'pull_request', 'issue_comment', 'release']
const RIGHT = 'a token of an administrator of the repository'

/** Gogs: webhooks of repositories and organisations. Gogs has no API for statuses. */
export const gogs: Forge = {
  id: 'gogs',
  title: 'Gogs',
  publicUrl: null,
  cloneUrl: usualCloneUrl,
  repositories,
  status: null,
  hooks: hooksOf({ type: 'gogs', events: EVENTS, right: RIGHT, sendsTests: false }, callOf),
  apps: null,
  checks: null,
  comments: null,
  deliveries: null,
  webhooks: webhooksOf(DIALECT),
}
