import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from '#platform/http'
import { testCaller } from '#platform/testing'
import type { AboveRuns } from '../means.ts'
import { NOTHING_ABOVE } from '../testing.ts'
import { judgeRepetition } from './judge-repetition.ts'

// What is refused is attacked over HTTP, in limited-tokens.test.ts.

const owner = testCaller()
const limited: Caller = { ...owner, token: { id: 't', name: 'agent', limits: { isReadOnly: false } } }
const run = {
  pipeline_version_id: 'v1',
  repository: 'acme/shop',
  ref: 'refs/heads/main',
  clone_url: 'https://a.example.com/acme/shop.git',
  commit_sha: 'a'.repeat(40),
  checkout_credential_ref: 'secret:acme/hook',
  sealed_variables: {},
}
const old = { cloneUrl: run.clone_url, commitSha: run.commit_sha, checkoutCredentialRef: run.checkout_credential_ref }
const other = { versionId: 'v2', teamPath: 'acme/web', checksOut: true, references: [] }
const asked: unknown[] = []
const above: AboveRuns = {
  ...NOTHING_ABOVE,
  async findCheckout(_caller, wish) {
    asked.push(wish)
    return {
      cloneUrl: 'https://b.example.com/acme/shop.git',
      commitSha: 'b'.repeat(40),
      checkoutCredentialRef: 'secret:acme/web/hook',
    }
  },
}
const judge = (caller: Caller, given: object = {}) =>
  judgeRepetition({ above }, caller, { run, pipeline: other, wish: { document: 'newest' }, ...given })

test('a token with limits that changes the document checks out the old commit through a source of its own', async () => {
  assert.deepEqual(await judge(limited), {
    cloneUrl: 'https://b.example.com/acme/shop.git',
    commitSha: run.commit_sha,
    checkoutCredentialRef: 'secret:acme/web/hook',
  })
  assert.deepEqual(asked, [{ repository: 'acme/shop', ref: 'refs/heads/main', teamPath: 'acme/web' }])
})

test('nobody looks anything up where nothing changes, nothing is checked out or no credential is used', async () => {
  asked.length = 0
  assert.deepEqual(await judge(owner), old)
  assert.deepEqual(await judge(limited, { pipeline: { ...other, versionId: 'v1' } }), old, 'the newest is the same')
  assert.deepEqual(await judge(limited, { pipeline: { ...other, checksOut: false } }), {}, 'not even to its children')
  const open = { ...run, checkout_credential_ref: null }
  assert.deepEqual(await judge(limited, { run: open }), { ...old, checkoutCredentialRef: undefined })
  assert.deepEqual(asked, [])
})

test('a document that starts pipelines is never as it was for a token with limits', async () => {
  const child = { kind: 'pipeline', target: 'acme/web/kid', directive: 'steps.a.tasks.b.pipeline' }
  const parent = { ...other, versionId: run.pipeline_version_id, references: [child] }
  const pinned = { pipeline: parent, wish: {} }
  assert.deepEqual(await judge(owner, pinned), old)
  assert.equal((await judge(limited, pinned)).checkoutCredentialRef, 'secret:acme/web/hook')
  assert.deepEqual(await judge(limited, { ...pinned, pipeline: { ...parent, checksOut: false } }), {})
  await assert.rejects(judge(limited, { ...pinned, wish: { mode: 'failed' } }), /Repeat it whole/)
  await assert.rejects(judge(limited, { ...pinned, run: { ...run, sealed_variables: { B: 'x' } } }), /Let its owner/)
})
