import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findPasswordFault, verifyBasicAuth } from './basic-auth.ts'
import type { WebhookHeaders } from './port.ts'

const SECRET = 'signalbox:correct horse'

function header(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

function verify(authorization: WebhookHeaders[string], secrets: readonly string[] = [SECRET]) {
  const headers = authorization === undefined ? {} : { authorization }
  const found = verifyBasicAuth({ headers, secrets: secrets.map((secret) => Buffer.from(secret)) })
  assert.match(found.detail, /^[A-Z].*\.$/)
  assert.ok(!found.detail.includes('horse'))
  return found.outcome === 'verified' ? found.secretIndex : found.outcome
}

describe('HTTP Basic authentication', () => {
  test('verifies user and password with either live secret and says with which', () => {
    assert.equal(verify(header(SECRET)), 0)
    assert.equal(verify(header(SECRET), [SECRET, 'signalbox:next']), 0)
    assert.equal(verify(header(SECRET), ['signalbox:next', SECRET]), 1)
    assert.equal(verify(header(SECRET), ['', SECRET]), 1)
    assert.equal(verify(header(SECRET).replace('Basic', 'basic')), 0)
  })

  test('takes an empty user, further colons and any bytes', () => {
    assert.equal(verify(header(':token'), [':token']), 0)
    assert.equal(verify(header('user:a:b'), ['user:a:b']), 0)
    assert.equal(verify(header('üser:pässword'), ['üser:pässword']), 0)
  })

  test('of another user, another password or another length is a mismatch', () => {
    for (const other of ['signalbox:other', 'Signalbox:correct horse', `${SECRET}!`, SECRET.slice(0, -1), 'a:b']) {
      assert.equal(verify(header(other)), 'mismatch', other)
    }
  })

  test('that is absent is missing', () => assert.equal(verify(undefined), 'missing'))

  test('given twice is a mismatch, even when both are right', () => {
    const right = header(SECRET)
    for (const value of [[right, right], [right], `${right}, ${right}`, `${right},${right}`]) {
      assert.equal(verify(value), 'mismatch', String(value))
    }
  })

  test('of another scheme or not exactly base64 is a mismatch', () => {
    const right = header('user:pas')
    assert.equal(verify(right, ['user:pas']), 0)
    for (const value of [
      '',
      'Basic',
      'Basic ',
      'Basic user:pas',
      right.slice('Basic '.length),
      right.replace('Basic', 'Bearer'),
      ` ${right}`,
      `${right}\n`,
      `${right}=`,
      right.replace('=', ''),
      right.replace('dXN', 'dX N'),
      right.replace('dXN', 'dX-N'),
      right.replace('w', '\u00e4'),
      `Basic ${Buffer.from('user').toString('base64')}`,
      header('user:'),
    ]) {
      assert.equal(verify(value, ['user:pas', 'user', 'user:']), 'mismatch', value)
    }
  })

  test('never verifies with an empty or absent secret, nor with one that has no password', () => {
    assert.equal(verify(header(SECRET), []), 'mismatch')
    assert.equal(verify(header(SECRET), ['']), 'mismatch')
    for (const empty of ['', ':', 'user', 'user:']) assert.equal(verify(header(empty), [empty]), 'mismatch', empty)
  })
})

test('a secret without a password can never verify, and is told so', () => {
  for (const secret of [SECRET, ':password', 'user:pass:word'])
    assert.equal(findPasswordFault(Buffer.from(secret)), null)
  for (const secret of ['', 'password', 'user:']) {
    assert.match(findPasswordFault(Buffer.from(secret)) ?? '', /must be user:password/, secret)
  }
})
