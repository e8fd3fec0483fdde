import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findForge } from '#adapters/forges'
import { createTestClock, createTestDatabase, createTestKit, testCaller } from '#platform/testing'
import type { GitApps } from '#rooms/catalog/git-apps'
import { openForgeDouble } from '../../../../adapters/forges/testing.ts'
import type { LiveSource } from '../ingress/source-book.ts'
import { aStoredSource } from '../testing.ts'
import { createBranchMemory } from './branch-memory.ts'
import { listBranches } from './list-branches.ts'

const { database } = await createTestDatabase()
const clock = createTestClock()
const kit = createTestKit(database, { clock, env: { PROVIDER_HOSTS: '127.0.0.1' } })
const gitApps: Pick<GitApps, 'call'> = { call: (_wish, _signal, work) => work(undefined) }

function liveAt(baseUrl: string): LiveSource {
  return {
    source: aStoredSource({ id: kit.ids.next(), name: 'slow', provider: 'gitea', teamPath: 'acme', baseUrl }),
    forge: findForge('gitea'),
    origin: baseUrl,
    allows: () => true,
    secrets: async () => ({ read: { unusable: 'There is none.' }, values: [], places: [] }),
  }
}

function ask(live: LiveSource, signal: AbortSignal, branchMemory = createBranchMemory()) {
  const book = new Map([[live.source.id, live]])
  const ingress = {
    book: {
      get: async () => book,
      getNew: async () => book,
      now: () => book,
      invalidate: () => undefined,
      close: () => undefined,
    },
  }
  return listBranches({ ...kit, gitApps, ingress, branchMemory }, testCaller(), 'acme/slow', signal)
}

const path = '/api/v1/repos/acme/slow/branches?limit=100&page=1'
const branch = (name: string) => ({ name, commit: { id: 'a'.repeat(40) } })

test('a list that did not change is asked for by its ETag, and never shown without asking', async (t) => {
  const memory = createBranchMemory()
  const { signal } = new AbortController()
  const etag = '"one"'
  const asked = (headers: Record<string, string | undefined>) => ({ method: 'GET', path, headers }) as const
  const forge = await openForgeDouble(t, [
    { ...asked({ 'if-none-match': undefined }), reply: { status: 200, headers: { etag }, body: [branch('main')] } },
    { ...asked({ 'if-none-match': etag }), reply: { status: 304 } },
    { ...asked({ 'if-none-match': etag }), reply: { status: 200, headers: { etag: '"two"' }, body: [branch('next')] } },
    { ...asked({ 'if-none-match': '"two"' }), reply: { status: 403, headers: { 'retry-after': '7' } } },
    { ...asked({ 'if-none-match': undefined }), reply: { status: 404 } },
  ])
  const live = liveAt(forge.url)
  const names = async () => (await ask(live, signal, memory)).map(({ name }) => name)
  assert.deepEqual([await names(), await names(), await names()], [['main'], ['main'], ['next']])
  await assert.rejects(ask(live, signal, memory), { code: 'repository.provider_unreachable' })
  const other = { ...live, source: { ...live.source, checkoutCredentialRef: 'secret:acme/other' } }
  await assert.rejects(ask(other, signal, memory), { code: 'not_found' }, 'another credential knows nothing of it')
})

test('the memory of branches is bounded: the page that was asked for longest ago goes first', () => {
  const memory = createBranchMemory(100)
  const listOf = (repository: string) => memory.of({ sourceId: 's', ref: null, baseUrl: 'https://x', repository })
  const page = (count: number) => ({
    etag: '"e"',
    items: Array.from({ length: count }, (_, at) => ({ name: `b${at}`, commitSha: 'a'.repeat(40) })),
    next: undefined,
  })
  listOf('a/1').keep('/1', page(40))
  listOf('a/2').keep('/1', page(40))
  assert.ok(listOf('A/1').find('/1'), 'names are in any case')
  listOf('a/3').keep('/1', page(40))
  assert.deepEqual([listOf('a/1').find('/1') !== undefined, listOf('a/2').find('/1')], [true, undefined])
  listOf('a/3').keep('/1', page(10))
  assert.equal(memory.size, 52)
  listOf('a/4').keep('/1', page(101))
  assert.equal(listOf('a/4').find('/1'), undefined, 'more than there is place for is not kept')
})

test('empty lists take place in the memory of branches, and each spelling of a name the same', () => {
  const memory = createBranchMemory(100)
  for (let at = 0; at < 500; at += 1) {
    const name = `a/${at % 250}`
    const repository = at < 250 ? name : name.toUpperCase()
    const list = memory.of({ sourceId: 's', ref: null, baseUrl: 'https://x', repository })
    list.keep(`/repos/${repository}/branches`, { etag: '"e"', items: [], next: undefined })
  }
  assert.equal(memory.size, 100)
  const list = memory.of({ sourceId: 's', ref: null, baseUrl: 'https://x', repository: 'a/249' })
  assert.ok(list.find('/repos/a/249/branches'))
})

test('a provider that never answers is waited for no longer than 15 s', async (t) => {
  const forge = await openForgeDouble(t, [{ method: 'GET', path, reply: 'silence' }])
  const asking = assert.rejects(ask(liveAt(forge.url), new AbortController().signal), {
    code: 'repository.provider_unreachable',
  })
  await forge.asked(1)
  await clock.advance(15_000)
  await asking
})

test('who goes away is not worked for any more', async (t) => {
  const forge = await openForgeDouble(t, [{ method: 'GET', path, reply: 'silence' }])
  const leaving = new AbortController()
  const asking = assert.rejects(ask(liveAt(forge.url), leaving.signal))
  await forge.asked(1)
  leaving.abort()
  await asking
})
