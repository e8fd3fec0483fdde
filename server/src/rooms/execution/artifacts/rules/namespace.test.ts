import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namespaceOf } from './namespace.ts'

test('pull requests have caches of their own, however long the name of their repository is', () => {
  const repository = `acme/${'x'.repeat(600)}`
  const of = (pullRequest: number) => namespaceOf({ untrusted: true, repository, pullRequest }).namespace
  assert.notEqual(of(7), of(77))
  assert.notEqual(of(7), of(8))
  assert.ok(of(7).length <= 500)
})
