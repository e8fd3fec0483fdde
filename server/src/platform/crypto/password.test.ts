import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createPasswords } from './password.ts'

const passwords = createPasswords()

describe('passwords', () => {
  test('are kept as argon2id in PHC form, each with a salt of its own', async () => {
    const [one, two] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')])
    assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    assert.notEqual(one, two)
    assert.equal(await passwords.verify(one, 'correct horse'), true)
    assert.equal(await passwords.verify(one, 'correct horsf'), false)
    assert.equal(await passwords.verify(one, ''), false)
  })

  test('the same password typed on another keyboard is the same', async () => {
    const hash = await passwords.hash('caf\u00e9 au lait')
    assert.equal(await passwords.verify(hash, 'cafe\u0301 au lait'), true)
  })

  test('hashes that other programs made open too', async () => {
    // phc-winner-argon2: echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1
    const known = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    assert.equal(await passwords.verify(known, 'password'), true)
  })

  test('nobody and a broken hash are false', async () => {
    for (const phc of [undefined, '', 'plain', '$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAA', '$argon2id$v=19$m=1']) {
      assert.equal(await passwords.verify(phc, 'x'), false)
    }
  })

  test('when too many wait, the next is refused instead of piling up', async () => {
    const own = createPasswords()
    const outcomes = await Promise.allSettled(Array.from({ length: 80 }, () => own.verify(undefined, 'x')))
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    assert.ok(refused.length > 0)
    for (const outcome of refused) assert.equal(outcome.reason.code, 'crypto.passwords_busy')
    assert.equal(await own.verify(undefined, 'x'), false)
  })
})
