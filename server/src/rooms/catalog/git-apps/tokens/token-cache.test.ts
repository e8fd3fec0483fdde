import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ForgeAnswer, InstallationToken } from '#adapters/forges'
import { createTestClock, createTestDatabase } from '#platform/testing'
import { createTokenCache, type TokenScope } from './token-cache.ts'

const { database } = await createTestDatabase()
const clock = createTestClock()
const cache = createTokenCache({ clock, database, gitAppMetrics: { token: () => undefined } })
after(() => cache.close())

const scope: TokenScope = {
  provider: 'github',
  baseUrl: 'https://github.com',
  appId: '7',
  proof: 'key-1',
  installationId: '42',
  repository: 'acme/web',
  grants: { contents: 'read', metadata: 'read' },
}
const giving = (token: string) => async (): Promise<ForgeAnswer<InstallationToken>> => ({
  outcome: 'found',
  value: { token, expiresAt: new Date(clock.now().getTime() + 3_600_000).toISOString() },
})
const get = async (of: TokenScope, token: string): Promise<string> => {
  const answer = await cache.get(of, giving(token))
  return answer.outcome === 'found' ? answer.value.token : answer.outcome
}

test('each host, app, key, installation, repository and scope has its own token, also in parallel', async () => {
  const scopes: TokenScope[] = [
    scope,
    { ...scope, provider: 'gitea' },
    { ...scope, baseUrl: 'https://github.example.com' },
    { ...scope, appId: '8' },
    { ...scope, proof: 'key-2' },
    { ...scope, installationId: '43' },
    { ...scope, repository: 'acme/api' },
    { ...scope, repository: null },
    { ...scope, grants: { contents: 'read', metadata: 'read', checks: 'write' } },
  ]
  const tokens = await Promise.all(scopes.map((of, at) => get(of, `token-${at}`)))
  assert.deepEqual(
    tokens,
    scopes.map((_, at) => `token-${at}`),
  )
  const same = { ...scope, repository: 'Acme/Web', grants: { metadata: 'read', contents: 'read' } } as const
  assert.equal(await get(same, 'another'), 'token-0', 'neither case nor order makes another scope')
})

test('one that was refused is dropped, and not the one that was given meanwhile', async () => {
  const of = { ...scope, appId: 'dropped' }
  const first = await cache.get(of, giving('first'))
  assert.ok(first.outcome === 'found')
  cache.drop(of, first.value)
  assert.equal(await get(of, 'second'), 'second')
  cache.drop(of, first.value)
  assert.equal(await get(of, 'third'), 'second')
})

test('an answer that comes after its installation was dropped serves nobody later', async () => {
  const of = { ...scope, installationId: 'late' }
  const held = Promise.withResolvers<undefined>()
  const waiting = cache.get(of, async () => {
    await held.promise
    return giving('old')()
  })
  cache.dropOf('github', 'late')
  held.resolve(undefined)
  assert.equal((await waiting).outcome, 'found')
  assert.equal(await get(of, 'new'), 'new')
})

test('a failure is told to all who wait, and kept for nobody', async () => {
  const of = { ...scope, installationId: 'failing' }
  let asked = 0
  const fail = async (): Promise<ForgeAnswer<InstallationToken>> => {
    asked += 1
    return { outcome: 'failed', reason: 'no', retry: true }
  }
  const answers = await Promise.all([cache.get(of, fail), cache.get(of, fail)])
  assert.deepEqual([asked, answers.map(({ outcome }) => outcome)], [1, ['failed', 'failed']])
  assert.equal(await get(of, 'then'), 'then')
  const broken = { ...scope, installationId: 'throwing' }
  await assert.rejects(cache.get(broken, () => Promise.reject(new Error('the database is away'))))
  assert.equal(await get(broken, 'then'), 'then')
})

test('one without an end is somebody’s stored token, and asked for each time', async () => {
  const of = { ...scope, appId: 'stored' }
  const stored = (token: string) => async (): Promise<ForgeAnswer<InstallationToken>> => ({
    outcome: 'found',
    value: { token, expiresAt: null },
  })
  await cache.get(of, stored('one'))
  const answer = await cache.get(of, stored('two'))
  assert.equal(answer.outcome === 'found' && answer.value.token, 'two')
})
