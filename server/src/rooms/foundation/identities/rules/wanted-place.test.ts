import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { placeWithError, readPlace, signInPlace } from './wanted-place.ts'

describe('the place to go on to', () => {
  test('is a fragment of the page', () => {
    for (const place of ['#/', '#/t/acme/runs?status=failed&status=running', '#/runs/1#L10']) {
      assert.equal(readPlace(place), place)
    }
  })

  const elsewhere = [
    undefined,
    '',
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    '#evil',
    '#//evil.example\r\nSet-Cookie: session=x',
    '#/\nLocation: https://evil.example',
    ' #/runs',
    '@evil.example/#/',
    '.evil.example/#/',
    '%23/runs',
    '#/\u2028',
    '#/ü',
    `#/${'a'.repeat(2000)}`,
  ]
  for (const asked of elsewhere) {
    test(`is the home where ${JSON.stringify(asked?.slice(0, 50))} is asked for`, () =>
      assert.equal(readPlace(asked), '#/'))
  }

  test('never leads away from the page, whatever is asked for', () => {
    const asked = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.string().map((text) => `#/${text}`),
    )
    fc.assert(
      fc.property(asked, (text) => {
        for (const place of [
          readPlace(text),
          signInPlace('expired', readPlace(text)),
          placeWithError(readPlace(text), 'expired'),
        ]) {
          const url = new URL(`https://signalbox.example.com/base/${place}`)
          assert.equal(url.origin + url.pathname + url.search, 'https://signalbox.example.com/base/')
          assert.ok(!/[\r\n]/.test(place))
        }
      }),
    )
  })

  test('is kept beside the error of a sign-in', () => {
    assert.equal(signInPlace('denied', '#/'), '#/sign-in?error=denied')
    assert.equal(signInPlace('denied', '#/runs?a=1'), '#/sign-in?error=denied&wanted=%2Fruns%3Fa%3D1')
    assert.equal(placeWithError('#/account', 'account_taken'), '#/account?error=account_taken')
  })
})
