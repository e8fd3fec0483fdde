import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isSubject, meetsRequired, membershipsOf, profileOf, valuesOf } from './claims.ts'

describe('the claims of an account', () => {
  test('have values one by one or in lists; what is neither text, number nor truth value is passed over', () => {
    assert.deepEqual(valuesOf({ a: 'x' }, 'a'), ['x'])
    assert.deepEqual(valuesOf({ a: ['x', 1, true, null, { b: 1 }, ['y']] }, 'a'), ['x', '1', 'true'])
    for (const a of [undefined, null, {}, { length: 2 }]) assert.deepEqual(valuesOf({ a }, 'a'), [])
    assert.deepEqual(valuesOf({}, 'constructor'), [])
  })

  test('let somebody in who has one value of every required claim', () => {
    const required = new Map([
      ['hd', ['example.com', 'example.org']],
      ['groups', ['ci']],
    ])
    assert.equal(meetsRequired(required, { hd: 'example.org', groups: ['other', 'ci'] }), true)
    assert.equal(meetsRequired(required, { hd: 'example.org' }), false)
    assert.equal(meetsRequired(required, { hd: 'example.com.evil.example', groups: 'ci' }), false)
    assert.equal(meetsRequired(new Map(), {}), true)
  })

  test('decide over the mapped groups alone, and a group of several values needs one of them', () => {
    const groups = new Map([
      ['dev', 'developers'],
      ['/acme/dev', 'developers'],
      ['ops', 'operators'],
    ])
    const mapping = { groupsClaim: 'groups', groups }
    const wanted = (claims: object) => Object.fromEntries(membershipsOf(mapping, { ...claims }))
    assert.deepEqual(wanted({ groups: ['/acme/dev', 'unmapped'] }), { developers: true, operators: false })
    assert.deepEqual(wanted({ groups: 'ops' }), { developers: false, operators: true })
    assert.deepEqual(wanted({}), { developers: false, operators: false })
    assert.equal(membershipsOf({ groupsClaim: undefined, groups: new Map() }, { groups: ['dev'] }).size, 0)
  })

  test('name a person, without hidden characters, and an address only where it is verified', () => {
    const claims = { preferred_username: 'ada', name: ' Ada\u202e\u0000\nLovelace ', email: 'ada@example.com' }
    assert.deepEqual(profileOf({ ...claims, email_verified: true }), {
      wishes: ['ada', 'ada', ' Ada\u202e\u0000\nLovelace '],
      name: 'Ada Lovelace',
      email: 'ada@example.com',
    })
    assert.equal(profileOf(claims).email, null)
    assert.equal(profileOf({ ...claims, email_verified: 'true' }).email, null)
    assert.equal(profileOf({ email: 'a b@example.com', email_verified: true }).email, null)
    assert.equal(profileOf({}).name, undefined)
  })

  test('of any form are read, and the name stays short', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('name', 'email', 'preferred_username', 'groups'), fc.jsonValue()),
        (claims) => {
          const { name = '', email } = profileOf(claims)
          return name.length <= 200 && !name.includes('\0') && (email ?? '').length <= 320
        },
      ),
    )
  })

  test('hold a subject of at most 255 characters of ASCII', () => {
    for (const subject of ['248289761001', 'auth0|x y', 'a'.repeat(255)]) assert.equal(isSubject(subject), true)
    for (const subject of ['', 'a'.repeat(256), 'é', 'a\nb', 'a\0']) assert.equal(isSubject(subject), false)
  })
})
