import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Event, PULL_REQUEST_ACTIONS } from '@signalbox/contracts/event'
import { Value } from 'typebox/value'
import type { JsonObject } from '../json-object.ts'
import type { Reading } from '../port.ts'
import { gitlab } from './index.ts'
import { aCommit, aPushPayload, sendDelivery } from './testing.ts'

function read(payload: unknown): Reading {
  const { headers, body } = sendDelivery(payload)
  const reading = gitlab.webhooks.read(headers, body)
  if (reading.kind === 'events') {
    for (const found of reading.events) assert.deepEqual(Value.Errors(Event, found), [])
  }
  return reading
}

function readOne(payload: unknown): Event {
  const reading = read(payload)
  assert.ok(reading.kind === 'events' && reading.events.length === 1, JSON.stringify(reading))
  return reading.events[0]
}

function payloadOf(fixture: string): JsonObject & { readonly object_attributes: JsonObject } {
  return JSON.parse(readFileSync(join(import.meta.dirname, `fixtures/${fixture}.json`), 'utf8')).payload
}

describe('the id of a delivery', () => {
  const idOf = (headers: Record<string, string | string[]>) => gitlab.webhooks.deliveryId(headers, Buffer.alloc(0))

  test('is the one that stays when GitLab sends the delivery again', () => {
    const all = { 'webhook-id': 'a', 'idempotency-key': 'b', 'x-gitlab-webhook-uuid': 'c', 'x-gitlab-event-uuid': 'd' }
    assert.equal(idOf(all), 'a')
    const { 'webhook-id': _, ...before19 } = all
    assert.equal(idOf(before19), 'b')
    assert.equal(idOf({ 'x-gitlab-webhook-uuid': 'c', 'x-gitlab-event-uuid': 'd' }), 'c')
  })

  test('is none that two pushes share, and none that came twice', () => {
    assert.equal(idOf({ 'x-gitlab-event-uuid': 'd' }), null)
    assert.equal(idOf({ 'webhook-id': ['a', 'a'], 'idempotency-key': 'b' }), null)
    for (const odd of ['', 'a b', 'a\0', 'x'.repeat(201), 'é']) assert.equal(idOf({ 'webhook-id': odd }), null, odd)
  })
})

describe('the type of an event', () => {
  const typeOf = (headers: Record<string, string>, body: string) =>
    gitlab.webhooks.eventType(headers, Buffer.from(body))
  const json = { 'content-type': 'application/json', 'x-gitlab-event': 'System Hook' }

  test("is the body's word, and the header's where there is none", () => {
    assert.equal(typeOf(json, '{"object_kind":"push","event_name":"x"}'), 'push')
    assert.equal(typeOf(json, '{"event_name":"project_rename"}'), 'project_rename')
    for (const body of ['', '{', '{}', '{"object_kind":7}', '{"object_kind":"a b"}']) {
      assert.equal(typeOf(json, body), 'System Hook', body)
    }
    assert.equal(typeOf({ 'x-gitlab-event': '<b>' }, ''), null)
  })

  test('does not depend on the header: a push is a push by whatever hook it comes', () => {
    for (const event of ['Push Hook', 'System Hook', 'Merge Request Hook', '']) {
      const { headers, body } = sendDelivery(aPushPayload(), { event })
      assert.equal(gitlab.webhooks.read(headers, body).kind, 'events')
    }
  })
})

describe('a push', () => {
  test('keeps all digits of an id that no JavaScript number holds', () => {
    const text = JSON.stringify(aPushPayload({ project: { id: 186_853_002 } })).replaceAll(
      '186853002',
      '12345678901234567890',
    )
    assert.equal(readOne(Buffer.from(text)).repository.id, '12345678901234567890')
  })

  test('names its changed paths completely only when GitLab left nothing out', () => {
    const complete = (overrides: object) => readOne(aPushPayload(overrides)).changed_paths_complete
    const twenty = Array.from({ length: 20 }, () => aCommit())
    assert.equal(complete({}), true)
    assert.equal(complete({ commits: twenty }), true)
    assert.equal(complete({ commits: twenty, total_commits_count: 21 }), false)
    assert.equal(complete({ commits: [], total_commits_count: 0 }), false)
    assert.equal(complete({ commits: [], total_commits_count: 3 }), false)
    assert.equal(complete({ before: '0'.repeat(40) }), false)
    assert.equal(complete({ total_commits_count: null }), false)
    assert.equal(complete({ total_commits_count: '1' }), false)
    assert.equal(complete({ commits: [aCommit({ removed: undefined })] }), false)
    assert.equal(complete({ commits: ['no commit'], total_commits_count: 1 }), false)
  })

  test('of an annotated tag is about the commit, not about the tag itself', () => {
    const tag = { ref: 'refs/tags/v1', before: '0'.repeat(40), after: 'c'.repeat(40) }
    assert.equal(readOne(aPushPayload({ ...tag, checkout_sha: 'b'.repeat(40) })).after, 'b'.repeat(40))
    assert.equal(readOne(aPushPayload({ ...tag, checkout_sha: null })).after, 'c'.repeat(40))
  })

  test('that deletes has no commit, whatever else it names', () => {
    const event = readOne(aPushPayload({ after: '0'.repeat(40), checkout_sha: 'b'.repeat(40) }))
    assert.equal(event.kind, 'branch_deleted')
    assert.equal(event.after, null)
  })

  test('cuts what is longer than any real push', () => {
    const event = readOne(aPushPayload({ commits: [aCommit({ message: 'm'.repeat(100_000) })] }))
    assert.equal(event.commits[0]?.message.length, 4_096)
  })
})

describe('a project', () => {
  const repositoryOf = (project: object) => readOne(aPushPayload({ project })).repository

  test('in nested groups belongs to all of them', () => {
    const { owner, name, full_name: fullName } = repositoryOf({ path_with_namespace: 'acme/web/front/widgets' })
    assert.deepEqual([owner, name, fullName], ['acme/web/front', 'widgets', 'acme/web/front/widgets'])
  })

  test('is private unless everybody may see it; internal ones are', () => {
    assert.equal(repositoryOf({ visibility_level: 0 }).private, true)
    assert.equal(repositoryOf({ visibility_level: 10 }).private, true)
    assert.equal(repositoryOf({ visibility_level: 20 }).private, false)
    assert.equal(repositoryOf({ visibility_level: null }).private, null)
  })

  test('keeps what is no address to clone from, without a password, so that a trace can name it', () => {
    const withUser = { git_http_url: 'https://oauth2:glpat-x@gitlab.example/acme/widgets.git' }
    assert.equal(repositoryOf(withUser).clone_url, 'https://gitlab.example/acme/widgets.git')
    for (const url of ['ext::sh -c id', '--upload-pack=id', '/etc']) {
      assert.equal(repositoryOf({ git_http_url: url, http_url: url }).clone_url, url)
    }
  })
})

describe('a delivery of GitLab before 8.0, which names no project', () => {
  const { project: _, ...old } = payloadOf('push-branch')
  const repository = {
    name: 'Widgets',
    url: 'git@gitlab.example:acme/apps/widgets.git',
    homepage: 'https://gitlab.example/git/acme/apps/widgets',
    visibility_level: 20,
  }

  test('is about the project of its SSH address, wherever GitLab itself lies', () => {
    assert.deepEqual(readOne({ ...old, repository }).repository, {
      id: '15',
      owner: 'acme/apps',
      name: 'widgets',
      full_name: 'acme/apps/widgets',
      clone_url: 'https://gitlab.example/git/acme/apps/widgets.git',
      web_url: 'https://gitlab.example/git/acme/apps/widgets',
      default_branch: null,
      private: false,
    })
    const url = 'ssh://git@gitlab.example:2222/acme/widgets.git'
    assert.equal(readOne({ ...old, repository: { ...repository, url } }).repository.full_name, 'acme/widgets')
  })

  test('that is about a merge request is about its target', () => {
    const { project: _project, repository: _repository, ...opened } = payloadOf('merge-request-opened')
    const target = {
      name: 'Widgets',
      ssh_url: 'git@gitlab.example:acme/widgets.git',
      http_url: 'https://g/acme/widgets.git',
    }
    const { object_attributes: attributes } = opened
    const event = readOne({ ...opened, object_attributes: { ...attributes, target } })
    assert.deepEqual([event.kind, event.repository.full_name], ['pull_request', 'acme/widgets'])
  })

  test('is unreadable where no address holds a path', () => {
    for (const url of [undefined, '', 'git@gitlab.example', 'git@gitlab.example:widgets.git', 'git@g:../x.git', 7]) {
      assert.equal(read({ ...old, repository: { ...repository, url } }).kind, 'unreadable', String(url))
    }
  })
})

describe('a merge request', () => {
  const opened = payloadOf('merge-request-opened')
  const attributes = opened.object_attributes
  const withAttributes = (overrides: object) =>
    readOne({ ...opened, object_attributes: { ...attributes, ...overrides } })
  const updated = (changes: object, overrides: object = {}) => {
    const reading = read({ ...opened, object_attributes: { ...attributes, action: 'update', ...overrides }, changes })
    assert.ok(reading.kind === 'events')
    return reading.events.map((event) => event.action)
  }

  test('counts as from a fork whenever its origin is not certain', () => {
    const fromFork = (overrides: object) => withAttributes(overrides).pull_request?.from_fork
    assert.equal(fromFork({}), false)
    assert.equal(fromFork({ source_project_id: 31 }), true)
    for (const id of [null, undefined, {}, [], '']) {
      assert.equal(fromFork({ source_project_id: id }), true)
      assert.equal(fromFork({ target_project_id: id }), true)
      assert.equal(fromFork({ source_project_id: id, target_project_id: id }), true)
    }
    assert.equal(fromFork({ source: null }), false)
  })

  test('is told apart by the projects, not by what they are called', () => {
    const renamed = { path_with_namespace: 'acme/widgets' }
    assert.equal(withAttributes({ source_project_id: 31, source: renamed }).pull_request?.from_fork, true)
  })

  test('got commits only where there is an earlier head', () => {
    assert.deepEqual(updated({}, { oldrev: 'c'.repeat(40) }), ['synchronized'])
    assert.deepEqual(updated({ updated_at: {} }), ['other'])
    assert.deepEqual(updated({}, { oldrev: 'short' }), ['other'])
    assert.deepEqual(updated({ draft: { current: false } }, { oldrev: 'c'.repeat(40) }), [
      'synchronized',
      'ready_for_review',
    ])
    const [event] = eventsOf({
      ...opened,
      object_attributes: { ...attributes, action: 'update', oldrev: 'c'.repeat(40) },
    })
    assert.equal(event?.before, 'c'.repeat(40))
    assert.equal(event?.after, 'b'.repeat(40))
  })

  test('of releases that call a draft a work in progress is one', () => {
    assert.equal(withAttributes({ draft: undefined, work_in_progress: true }).pull_request?.draft, true)
    assert.deepEqual(updated({ work_in_progress: { current: true } }), ['converted_to_draft'])
    assert.equal(withAttributes({ draft: undefined, work_in_progress: undefined }).pull_request?.draft, null)
  })

  test('that was put in other words and drafted in one form is only drafted', () => {
    const title = { previous: 'x', current: 'Draft: y' }
    assert.deepEqual(updated({ title, draft: { current: true } }), ['converted_to_draft'])
    assert.deepEqual(updated({ title, description: {}, draft: { current: true } }), ['converted_to_draft', 'edited'])
    assert.deepEqual(updated({ title }), ['edited'])
  })

  test('names only actions that triggers know, whatever changed', () => {
    const known: readonly string[] = PULL_REQUEST_ACTIONS
    const change = { previous: [{ id: 1 }, { id: 2 }], current: [{ id: 2 }, { id: 3 }] }
    const found = updated({
      labels: change,
      reviewers: change,
      assignees: change,
      milestone_id: { current: null },
      discussion_locked: { current: false },
      merge_status: {},
      target_branch: {},
    })
    assert.deepEqual(found, [
      'edited',
      'labeled',
      'unlabeled',
      'review_requested',
      'review_request_removed',
      'assigned',
      'unassigned',
      'demilestoned',
      'unlocked',
    ])
    assert.ok(found.every((action) => known.includes(action)))
  })

  test('of an action that is not in the table is "other", never an error', () => {
    for (const action of ['approve', 'teleported', 7, undefined]) {
      assert.equal(withAttributes({ action }).action, 'other')
    }
  })

  test('was written by the sender only if the ids say so', () => {
    assert.equal(withAttributes({}).pull_request?.author?.login, 'mona')
    assert.deepEqual(withAttributes({ author_id: 9 }).pull_request?.author, {
      id: '9',
      login: null,
      name: null,
      email: null,
      bot: null,
    })
    assert.equal(withAttributes({ author_id: null }).pull_request?.author, null)
  })
})

function eventsOf(payload: unknown): readonly Event[] {
  const reading = read(payload)
  return reading.kind === 'events' ? reading.events : []
}
