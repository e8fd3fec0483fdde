import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTestClock } from '#platform/testing'
import { aRunner } from './rooms/catalog/runners/testing.ts'
import { aMember } from './rooms/foundation/access/testing.ts'
import { anEnvironment } from './rooms/foundation/teams/testing.ts'
import { type Method, openTestHouse } from './testing/test-house.ts'

// The clock stands still: two writes in one millisecond are two versions all the same, and who read the first one is told.

const { db, ask, make } = await openTestHouse({ clock: createTestClock() })
const { token } = await aMember(db, 'root', 'administrator', '/')
await anEnvironment(db, 'acme/test')
const post = (url: string, body: object): Promise<string> => make(token, 'POST', url, body)

await post('/v1/secrets', { team_path: 'acme', name: 'hook', value: 'the-value-of-hook' })
await post('/v1/pipelines', {
  team_path: 'acme',
  document: 'name: build\nsteps:\n  - name: a\n    tasks:\n      - { name: b, run: echo hi }\n',
})
const profile = await post('/v1/profiles', { team_path: 'acme', name: 'host', executor: 'host' })
const rule = { team_path: 'acme', name: 'rule', kind: 'guardrail', rule: 'run.scope != "x"', message: 'No.' }
const item = await post('/v1/knowledge', rule)
const user = await post('/v1/users', { login: 'ada' })
const source = await post('/v1/git-webhook-sources', {
  name: 'acme-github',
  provider: 'github',
  team_path: 'acme',
  credential_ref: 'secret:acme/hook',
  repository_allowlist: ['acme/*'],
})
const trigger = await post('/v1/triggers', {
  team_path: 'acme',
  name: 'on-push',
  repositories: ['acme/widgets'],
  events: ['push'],
  pipeline: 'acme/build',
  scope: 'acme/test',
})
const schedule = await post('/v1/schedules', {
  path: 'acme',
  name: 'nightly',
  pipeline: 'acme/build',
  schedule_kind: 'recurring',
  cron_expression: '@daily',
  scope: 'acme/test',
})
const external = await post('/v1/external-triggers', {
  team_path: 'acme',
  name: 'deploy',
  pipeline: 'acme/build',
  scope: 'acme/test',
})
const override = { pipeline: 'acme/build', scope: 'acme/test' }
await make(token, 'PUT', '/v1/overrides/acme/widgets', override)
const { id: runner } = await aRunner(db)

const WRITES: readonly (readonly [method: Method, url: string, first: object, second: object])[] = [
  ['PATCH', '/v1/teams/acme', { name: 'A' }, { name: 'B' }],
  ['PATCH', '/v1/teams/acme/environments/test', { protected: false }, { allowed_subjects: [`user:${user}`] }],
  ['PUT', `/v1/profiles/${profile}`, { executor: 'host', labels: ['a'] }, { executor: 'host', labels: ['b'] }],
  ['PUT', `/v1/knowledge/${item}`, { ...rule, message: 'A.' }, { ...rule, message: 'B.' }],
  ['PATCH', `/v1/users/${user}`, { name: 'A' }, { name: 'B' }],
  ['PATCH', `/v1/runners/${runner}`, { labels: ['a'] }, { labels: ['b'] }],
  ['PATCH', `/v1/git-webhook-sources/${source}`, { enabled: false }, { enabled: true }],
  ['PATCH', `/v1/triggers/${trigger}`, { branches: ['a'] }, { branches: ['b'] }],
  ['PATCH', `/v1/schedules/${schedule}`, { timezone: 'UTC' }, { timezone: 'Europe/Berlin' }],
  ['PATCH', `/v1/external-triggers/${external}`, { enabled: false }, { enabled: true }],
  ['PUT', '/v1/preferences', { density: 'compact' }, { density: 'comfortable' }],
  ['PUT', '/v1/overrides/acme/widgets', { ...override, reason: 'A.' }, { ...override, reason: 'B.' }],
]

describe('two writes in one millisecond have two ETags', () => {
  for (const [method, url, first, second] of WRITES) {
    test(`${method} ${url.replace(/[\da-f-]{36}/, '{id}')}`, async () => {
      const before = await ask(token, method, url, first)
      assert.equal(before.status, 200, before.text)
      const after = await ask(token, method, url, second)
      assert.equal(after.status, 200, after.text)
      assert.ok(before.headers['etag'], 'it has one')
      assert.notEqual(after.headers['etag'], before.headers['etag'])
    })
  }
})
