import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readProviderMessage } from './provider-message.ts'

const read = (message: unknown, secrets: readonly string[] = []) => readProviderMessage({ message }, secrets)

describe('the message of a refusal', () => {
  test('is told as one plain line', () => {
    assert.equal(read('Resource not accessible by integration'), 'Resource not accessible by integration')
    assert.equal(
      read(' There is at\nleast one repository\tthat does not exist. '),
      'There is at least one repository that does not exist',
    )
    assert.equal(read("'Expiration time' claim ('exp') is too far"), "'Expiration time' claim 'exp' is too far")
    assert.equal(
      readProviderMessage({ error: 'insufficient_scope', error_description: 'More is needed' }, []),
      'More is needed',
    )
  })

  test('is cut at 200 characters, none of them in half', () => {
    const told = read(`Go ${'🚦'.repeat(400)}`)
    assert.ok(told !== undefined && [...told].length <= 200 && told.isWellFormed())
    assert.equal(read('a b '.repeat(100_000))?.length, 199)
  })

  const hidden: readonly (readonly [string, string, RegExp])[] = [
    ['markup', '<img src=x onerror=alert(1)> [x](javascript) `y` **z**', /[<>`*[\]()]/],
    ['control and bidirectional characters', 'a\u0000b\u001b[31mc\u202ed\u2066e\u200bf\u0085g\u2028h', /\p{C}|\u2028/u],
    [
      'addresses',
      'ask http://10.0.0.1:80/x or git.example or [::1]:8080 or me@example or \\\\host\\share',
      /\d\.\d|example|::|@|\\/,
    ],
    [
      'tokens',
      'no ghs_a github_pat_b glpat-correct-horse ghs_1_eyJx eyJhbGciOi v1.1f699f',
      /ghs|glpat|github_pat|eyJ|1f699/,
    ],
    ['digests and keys', `key ${'a1'.repeat(20)} and -----BEGIN`, /a1a1|-----/],
  ]
  for (const [what, message, forbidden] of hidden) {
    test(`never holds ${what}`, () => {
      const told = read(message)
      assert.ok(told !== undefined)
      assert.doesNotMatch(told, forbidden)
    })
  }

  test('is not told where it repeats what the call sent', () => {
    assert.equal(read('The token correct horse is unknown', ['correct horse']), undefined)
    assert.equal(read('The token is unknown', ['', 'correct horse']), 'The token is unknown')
  })

  test('of another form is none', () => {
    for (const body of [
      null,
      7,
      'text',
      [],
      {},
      { message: 7 },
      { message: { base: ['x'] } },
      { message: '' },
      { message: '…<>' },
    ]) {
      assert.equal(readProviderMessage(body, []), undefined, JSON.stringify(body))
    }
  })

  test('is short, plain and well-formed, whatever came', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (message) => {
        const told = read(message)
        if (told === undefined) return
        assert.ok([...told].length <= 200 && told.isWellFormed() && told.trim() === told)
        assert.doesNotMatch(told, /[<>&`"\p{Cc}\p{Cf}\u2028\u2029]/u)
      }),
    )
  })
})
