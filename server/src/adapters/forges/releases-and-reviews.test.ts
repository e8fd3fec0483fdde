import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Provider } from '@signalbox/contracts/event'
import { isObject } from './json-object.ts'
import { FORGES } from './registry.ts'
import { fixturesOf } from './testing.ts'

// The documented events of releases and reviews by provider, and the neutral action of each. A provider that is left
// out has no such event. Bitbucket and Azure DevOps know no releases of Git, Gogs knows no reviews, and Azure DevOps
// does not name the voter.

type Documented = Partial<Record<Provider, Readonly<Record<string, string>>>>

const RELEASES: Documented = {
  github: {
    created: 'created',
    published: 'published',
    released: 'released',
    prereleased: 'prereleased',
    edited: 'updated',
    unpublished: 'unpublished',
    deleted: 'deleted',
  },
  gitlab: { create: 'published', update: 'updated', delete: 'deleted' },
  gitea: { published: 'published', updated: 'updated', deleted: 'deleted' },
  forgejo: { published: 'published', updated: 'updated', deleted: 'deleted' },
  gogs: { published: 'published' },
}

const REVIEWS: Documented = {
  github: {
    'submitted approved': 'approved',
    'submitted changes_requested': 'changes_requested',
    'submitted commented': 'commented',
    edited: 'edited',
    dismissed: 'dismissed',
  },
  gitlab: { approval: 'approved', approved: 'approved', unapproval: 'dismissed', unapproved: 'dismissed' },
  gitea: {
    pull_request_approved: 'approved',
    pull_request_rejected: 'changes_requested',
    pull_request_comment: 'commented',
  },
  forgejo: {
    pull_request_approved: 'approved',
    pull_request_rejected: 'changes_requested',
    pull_request_comment: 'commented',
  },
  bitbucket: {
    'pullrequest:approved': 'approved',
    'pullrequest:unapproved': 'dismissed',
    'pullrequest:changes_request_created': 'changes_requested',
    'pullrequest:changes_request_removed': 'dismissed',
  },
  bitbucket_datacenter: {
    'pr:reviewer:approved': 'approved',
    'pr:reviewer:unapproved': 'dismissed',
    'pr:reviewer:changes_requested': 'changes_requested',
    'pr:reviewer:needs_work': 'changes_requested',
  },
}

const KINDS = { release: RELEASES, pull_request_review: REVIEWS } as const

/** The provider's word: its action, with the state of a GitHub review, or else its event type. */
function wordOf(
  payload: unknown,
  reading: { readonly action: string | null; readonly eventType: string | null },
): string {
  const { action, eventType } = reading
  if (action === 'submitted' && isObject(payload) && isObject(payload['review'])) {
    return `submitted ${String(payload['review']['state']).toLowerCase()}`
  }
  return action === null || action === 'reviewed' ? String(eventType) : action
}

for (const [kind, documented] of Object.entries(KINDS)) {
  describe(`every documented ${kind} has the action that triggers name`, () => {
    for (const forge of FORGES.filter(({ id }) => id !== 'generic')) {
      test(forge.id, () => {
        const found: Record<string, string> = {}
        for (const { headers, payload } of fixturesOf(forge)) {
          const reading = forge.webhooks.read(headers, Buffer.from(JSON.stringify(payload)))
          if (reading.kind !== 'events') continue
          for (const event of reading.events) {
            if (event.kind !== kind) continue
            found[wordOf(payload, reading)] = event.action
            if (event.kind === 'release') assert.match(event.ref ?? '', /^refs\/tags\/.+/)
            else assert.notEqual(event.comment?.author ?? null, null, 'who reviewed is known')
          }
        }
        assert.deepEqual(found, documented[forge.id] ?? {})
      })
    }
  })
}
