import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Login } from '@signalbox/contracts/access'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { loginOf, numbered } from './free-login.ts'

describe('the login of somebody who comes from a provider', () => {
  const wishes: [string, string | undefined][] = [
    ['ada', 'ada'],
    ['Ada.Lovelace', 'ada.lovelace'],
    ['ada@example.com', 'ada@example.com'],
    ['Jörg Müller', 'jorg-muller'],
    ['-_.ada', 'ada'],
    ['ACME\\ada', 'acme-ada'],
    ['ada\u202e\u0000\n', 'ada'],
    ['  ', undefined],
    ['李雷', undefined],
    ['', undefined],
  ]
  for (const [wish, login] of wishes) {
    test(`of ${JSON.stringify(wish)} is ${login ?? 'none'}`, () => assert.equal(loginOf(wish), login))
  }

  test('is valid whatever the provider says, and stays so with a number', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 1, max: 10_000 }), (wish, count) => {
        const login = loginOf(wish)
        return login === undefined || Value.Check(Login, numbered(login, count))
      }),
    )
  })
})
