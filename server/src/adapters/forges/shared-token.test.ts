import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WebhookHeaders } from './port.ts'
import { verifySharedToken } from './shared-token.ts'

const SECRET = 'correct horse battery staple'
const HEADER = { key: 'x-gitlab-token', title: 'X-Gitlab-Token' }

function verify(token: WebhookHeaders[string], secrets: readonly string[] = [SECRET]) {
  const headers = token === undefined ? {} : { 'x-gitlab-token': token }
  const found = verifySharedToken({ headers, secrets: secrets.map((secret) => Buffer.from(secret)) }, HEADER)
  assert.match(found.detail, /^[A-Z].*\.$/)
  assert.ok(!found.detail.includes('horse'))
  return found.outcome === 'verified' ? found.secretIndex : found.outcome
}

describe('a shared token', () => {
  test('is either live secret, and says which', () => {
    assert.equal(verify(SECRET), 0)
    assert.equal(verify(SECRET, [SECRET, 'next']), 0)
    assert.equal(verify(SECRET, ['next', SECRET]), 1)
    assert.equal(verify(SECRET, ['', SECRET]), 1)
  })

  test('may hold any bytes, as Node hands them over', () => {
    assert.equal(verify(Buffer.from('päss').toString('latin1'), ['päss']), 0)
    assert.equal(verify('päss', ['päss']), 'mismatch')
  })

  test('of other content or length is a mismatch, and nothing throws', () => {
    for (const other of ['x', SECRET.slice(1), `${SECRET}x`, ` ${SECRET}`, SECRET.toUpperCase(), 'x'.repeat(10_000)]) {
      assert.equal(verify(other), 'mismatch')
    }
  })

  test('that is absent is missing', () => assert.equal(verify(undefined), 'missing'))

  test('given twice is a mismatch, even when both are right', () => {
    for (const value of [[SECRET, SECRET], [SECRET], `${SECRET}, ${SECRET}`]) assert.equal(verify(value), 'mismatch')
  })

  test('that is empty never matches, whatever the secrets are', () => {
    assert.equal(verify('', ['']), 'mismatch')
    assert.equal(verify('', []), 'mismatch')
    assert.equal(verify('', [SECRET]), 'mismatch')
    assert.equal(verify(SECRET, []), 'mismatch')
    assert.equal(verify(SECRET, ['', '']), 'mismatch')
  })
})
