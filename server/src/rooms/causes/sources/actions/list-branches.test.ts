import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findForge } from '#adapters/forges'
import { createTestClock, createTestDatabase, createTestKit, testCaller } from '#platform/testing'
import type { GitApps } from '#rooms/catalog/git-apps'
import { openForgeDouble } from '../../../../adapters/forges/testing.ts'
import type { LiveSource } from '../ingress/source-book.ts'
import { aStoredSource } from '../testing.ts'
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

function ask(live: LiveSource, signal: AbortSignal) {
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
  return listBranches({ ...kit, gitApps, ingress }, testCaller(), 'acme/slow', signal)
}

const path = '/api/v1/repos/acme/slow/branches?limit=100&page=1'

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
