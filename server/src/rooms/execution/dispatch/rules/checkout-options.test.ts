import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Submodules } from '@signalbox/contracts/runner'
import type { Json } from '@signalbox/pipeline/status'
import { checkoutOptionsOf } from './checkout-options.ts'

const usual = { depth: 1, tags: false, submodules: 'none', lfs: false, sparse: [], merge: false } as const
const sha = 'a'.repeat(40)

test('what a document says of a checkout goes to the runner', () => {
  assert.deepEqual(checkoutOptionsOf(true, 7, null), { options: {} })
  const all = { depth: 0, tags: true, submodules: 'recursive', lfs: true, sparse: ['docs'], merge: false } as const
  const options = { depth: 0, tags: true, submodules: Submodules.RECURSIVE, lfs: true, sparse: ['docs'] }
  assert.deepEqual(checkoutOptionsOf(all, 7, null), { options })
})

test('a pull request is merged into the commit that the provider named, else into its branch', () => {
  const merging = { ...usual, depth: 0, merge: true }
  const mergeOf = (event: Json, pullRequest: number | null = 7) => {
    const found = checkoutOptionsOf(merging, pullRequest, event)
    return 'options' in found ? found.options.merge : found.impossible
  }
  const base = { ref: 'main', sha, repository: 'acme/shop' }
  assert.deepEqual(mergeOf({ pull_request: { base } }), { baseRef: 'refs/heads/main', baseSha: sha })
  assert.deepEqual(mergeOf({ pull_request: { base: { ...base, sha: null } } }), {
    baseRef: 'refs/heads/main',
    baseSha: '',
  })
  assert.match(String(mergeOf({ pull_request: { base: { ...base, ref: null } } })), /does not say into which branch/)
  assert.match(String(mergeOf(null)), /does not say into which branch/)
  assert.equal(mergeOf({ pull_request: { base } }, null), undefined)
})
