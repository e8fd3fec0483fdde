import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PERMISSION_NAMES, ROLE_NAMES } from '@signalbox/contracts/access'
import fc from 'fast-check'
import { createHoldings, holdsRole, pathAndAbove } from './holdings.ts'
import { ROLES } from './permissions.ts'

// Few letters and the characters beside '/' in ASCII, so that paths nearly collide.
const label = fc.stringMatching(/^[ab0][ab0_-]{0,2}$/)
const path = fc.array(label, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'))
const somewhere = fc.oneof(path, fc.constant('/'))
const role = fc.record({ role: fc.constantFrom(...ROLE_NAMES), teamPath: somewhere })
const permission = fc.constantFrom(...PERMISSION_NAMES)

const isAtOrBelow = (child: string, parent: string): boolean => {
  if (parent === '/') return true
  if (child === '/') return false
  const [below, above] = [child.split('/'), parent.split('/')]
  return above.every((part, index) => below[index] === part)
}

describe('grants are inherited downwards', () => {
  test('a permission is held exactly at and below a path where a role that has it was given', () => {
    fc.assert(
      fc.property(fc.array(role, { maxLength: 6 }), permission, somewhere, (roles, asked, at) => {
        const expected = roles.some(
          (held) => ROLES[held.role].some((one) => one === asked) && isAtOrBelow(at, held.teamPath),
        )
        assert.equal(createHoldings(roles).can(asked, at), expected)
      }),
      { numRuns: 2000 },
    )
  })

  test('the prefixes of a permission cover the same paths, and none covers another', () => {
    fc.assert(
      fc.property(fc.array(role, { maxLength: 6 }), permission, somewhere, (roles, asked, at) => {
        const holdings = createHoldings(roles)
        const prefixes = holdings.prefixes(asked)
        assert.equal(
          prefixes.some((prefix) => isAtOrBelow(at, prefix)),
          holdings.can(asked, at),
        )
        for (const one of prefixes) {
          for (const other of prefixes) assert.ok(one === other || !isAtOrBelow(one, other))
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('a path that only begins alike inherits nothing', () => {
    const { can } = createHoldings([{ role: 'owner', teamPath: 'acme' }])
    assert.ok(can('run.start', 'acme'))
    assert.ok(can('run.start', 'acme/web'))
    for (const other of ['acme-labs', 'acme_', 'acmeweb', 'acm', '/', '', 'x/acme']) {
      assert.equal(can('run.start', other), false, other)
    }
  })

  test('every path lies below the platform', () => {
    fc.assert(fc.property(path, (at) => assert.equal(pathAndAbove(at).at(-1), '/')))
    assert.deepEqual(pathAndAbove('a/b/c'), ['a/b/c', 'a/b', 'a', '/'])
    assert.deepEqual(pathAndAbove('/'), ['/'])
  })
})

describe('roles', () => {
  test('each has what the one before it has; the administrator has everything', () => {
    for (const [index, name] of ROLE_NAMES.entries()) {
      const before = ROLE_NAMES[index - 1]
      if (!before) continue
      assert.ok(
        ROLES[before].every((one) => ROLES[name].includes(one)),
        name,
      )
      assert.ok(ROLES[name].length > ROLES[before].length, name)
    }
    assert.deepEqual([...ROLES.administrator].sort(), [...PERMISSION_NAMES].sort())
  })

  test('nobody can give a role that has more than they have', () => {
    fc.assert(
      fc.property(fc.array(role, { maxLength: 4 }), role, (own, given) => {
        const holdings = createHoldings(own)
        if (!holdsRole(holdings, given)) return
        const receiver = createHoldings([given])
        for (const one of PERMISSION_NAMES) {
          if (receiver.can(one, given.teamPath)) assert.ok(holdings.can(one, given.teamPath))
        }
      }),
    )
    const owner = createHoldings([{ role: 'owner', teamPath: 'acme' }])
    assert.ok(holdsRole(owner, { role: 'owner', teamPath: 'acme/web' }))
    assert.equal(holdsRole(owner, { role: 'viewer', teamPath: '/' }), false)
    assert.equal(holdsRole(owner, { role: 'administrator', teamPath: '/' }), false)
  })
})
