import type { Dialect } from '../gitea/dialect.ts'
import { webhooksOf } from '../gitea/webhooks.ts'
import type { Forge } from '../port.ts'
import { usualCloneUrl } from '../usual-clone-url.ts'
import { readFlatEnds } from './pull-request-ends.ts'
import { repositories } from './repositories.ts'

const DIALECT: Dialect = {
  id: 'gogs',
  title: 'Gogs',
  signatures: [{ key: 'x-gogs-signature', title: 'X-Gogs-Signature', prefixed: false }],
  deliveryIds: ['x-gogs-delivery'],
  eventTypes: [{ key: 'x-gogs-event', title: 'X-Gogs-Event' }],
  // Pushes tell of commits on branches only.
  notices: { created: { branch: 'ref', tag: 'tag' }, deleted: { branch: 'branch_deleted', tag: 'tag_deleted' } },
  draftPrefixes: [],
  readPullRequestEnds: readFlatEnds,
}

/** Gogs: webhooks of repositories and organisations. It has no API for statuses. */
export const gogs: Forge = {
  id: 'gogs',
  title: 'Gogs',
  publicUrl: null,
  cloneUrl: usualCloneUrl,
  repositories,
  status: null,
  webhooks: webhooksOf(DIALECT),
}
