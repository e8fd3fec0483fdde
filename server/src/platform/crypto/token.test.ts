import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sha256 } from './digest.ts'
import { createToken, readTokenKind, type TokenKind } from './token.ts'

const kinds: readonly TokenKind[] = ['user', 'service_account', 'runner', 'bootstrap', 'external_trigger']

describe('tokens', () => {
  test('a token names its kind, and its digest is what is stored', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), (kind) => {
        const made = createToken(kind)
        assert.match(made.token, /^sbx[usrbe]_[0-9A-Za-z]{36}$/)
        assert.equal(readTokenKind(made.token), kind)
        assert.deepEqual(made.sha256, sha256(made.token))
        assert.ok(made.token.endsWith(made.lastFour))
      }),
    )
  })

  test('a token with one character changed is malformed', () => {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 40 }), fc.constantFrom(...digits), (at, digit) => {
        const { token } = createToken('user')
        fc.pre(token[at] !== digit)
        assert.equal(readTokenKind(token.slice(0, at) + digit + token.slice(at + 1)), undefined)
      }),
    )
  })

  test('any other text is malformed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        assert.equal(readTokenKind(text), undefined)
        assert.equal(readTokenKind(`sbxu_${text}`), undefined)
      }),
    )
    assert.equal(readTokenKind(`${createToken('user').token}\n`), undefined)
    assert.equal(readTokenKind(` ${createToken('user').token}`), undefined)
  })

  test('no two tokens are equal', () => {
    const made = new Set(Array.from({ length: 1000 }, () => createToken('runner').token))
    assert.equal(made.size, 1000)
  })
})
