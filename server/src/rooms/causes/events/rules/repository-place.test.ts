import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Event, EventPullRequest } from '@signalbox/contracts/event'
import { anEvent } from '../../../../../../contracts/src/event/testing.ts'
import { manifestAt, pathsBaseOf } from './index.ts'

const AFTER = 'b'.repeat(40)
const BASE = 'd'.repeat(40)

function aPullRequest(change: Partial<EventPullRequest>, event: Partial<Event> = {}): Event {
  return anEvent({
    kind: 'pull_request',
    action: 'opened',
    ref: 'refs/pull/7/head',
    before: null,
    after: AFTER,
    pull_request: {
      number: 7,
      title: '',
      draft: false,
      labels: [],
      head: { ref: 'topic', sha: AFTER, repository: 'eve/widgets' },
      base: { ref: 'main', sha: BASE, repository: 'acme/widgets' },
      from_fork: false,
      merged: false,
      author: null,
      web_url: null,
      ...change,
    },
    ...event,
  })
}

describe('the commit whose manifest counts', () => {
  test("is the event's own", () => {
    assert.deepEqual(manifestAt(anEvent()), { commitSha: AFTER, ref: 'refs/heads/main' })
    assert.deepEqual(manifestAt(aPullRequest({})), { commitSha: AFTER, ref: 'refs/pull/7/head' })
  })

  test('is the base branch for a pull request from a fork, never what the fork wrote', () => {
    assert.deepEqual(manifestAt(aPullRequest({ from_fork: true })), { commitSha: BASE, ref: 'refs/heads/main' })
    const withoutSha = { from_fork: true, base: { ref: 'main', sha: null, repository: null } }
    assert.deepEqual(manifestAt(aPullRequest(withoutSha)), { commitSha: null, ref: 'refs/heads/main' })
    const unknown = { from_fork: true, base: { ref: null, sha: null, repository: null } }
    assert.equal(manifestAt(aPullRequest(unknown)), undefined)
    assert.equal(manifestAt(aPullRequest({}, { pull_request: null })), undefined)
  })

  test('is what the tag of a release points at, where the event names no commit', () => {
    const release = anEvent({
      kind: 'release',
      before: null,
      after: null,
      ref: 'refs/tags/v1',
      branch: null,
      tag: 'v1',
    })
    assert.deepEqual(manifestAt(release), { commitSha: null, ref: 'refs/tags/v1' })
  })

  test('is none where a branch or a tag is gone', () => {
    assert.equal(manifestAt(anEvent({ kind: 'branch_deleted', after: null })), undefined)
    assert.equal(manifestAt(anEvent({ kind: 'tag_deleted', after: null })), undefined)
  })
})

describe('the base of changed files', () => {
  test('of a push is the commit before it', () => {
    assert.deepEqual(pathsBaseOf(anEvent())?.base, { kind: 'before', commitSha: 'a'.repeat(40) })
  })

  test('of a pull request is the merge base with its base branch', () => {
    const expected = { kind: 'merge_base', with: { commitSha: BASE, ref: 'refs/heads/main' } }
    assert.deepEqual(pathsBaseOf(aPullRequest({}))?.base, expected)
  })

  test('of a new branch is the merge base with the default branch, and of that itself unknown', () => {
    const created = anEvent({ before: null, ref: 'refs/heads/topic', branch: 'topic' })
    const expected = { kind: 'merge_base', with: { commitSha: null, ref: 'refs/heads/main' } }
    assert.deepEqual(pathsBaseOf(created)?.base, expected)
    assert.equal(pathsBaseOf(anEvent({ before: null })), undefined)
    const nameless = { ...created, repository: { ...created.repository, default_branch: null } }
    assert.equal(pathsBaseOf(nameless), undefined)
  })

  test('of a new tag, a deleted branch and an event without a commit is unknown', () => {
    assert.equal(pathsBaseOf(anEvent({ kind: 'tag', before: null, branch: null, tag: 'v1' })), undefined)
    assert.equal(pathsBaseOf(anEvent({ kind: 'branch_deleted', after: null })), undefined)
    assert.equal(pathsBaseOf(aPullRequest({}, { after: null })), undefined)
  })
})
