import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  FAMILY_NAMES,
  familyOf,
  isLimitable,
  LIMITABLE_PERMISSIONS,
  PERMISSION_NAMES,
  ROLE_NAMES,
} from '@signalbox/contracts/access'
import fc from 'fast-check'
import { aSnapshot } from '../testing.ts'
import { pathAndAbove } from './holdings.ts'
import { type Limits, narrow, refusingLimit } from './token-limits.ts'

// Few letters, so that paths often lie above and below one another.
const path = fc.array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
const somewhere = fc.oneof(path, fc.constant('/'))
const role = fc.record({ role: fc.constantFrom(...ROLE_NAMES), teamPath: somewhere })
const permission = fc.constantFrom(...PERMISSION_NAMES)
const few = <T>(...all: readonly T[]) => fc.uniqueArray(fc.constantFrom(...all), { minLength: 1, maxLength: 12 })
const limits: fc.Arbitrary<Limits> = fc
  .record({
    permissions: fc.option(few(...PERMISSION_NAMES), { nil: undefined }),
    teamPath: fc.option(path, { nil: undefined }),
    isReadOnly: fc.boolean(),
    families: fc.option(few(...FAMILY_NAMES), { nil: undefined }),
  })
  .map(({ permissions, teamPath, isReadOnly, families }) => ({
    isReadOnly,
    ...(permissions ? { permissions } : {}),
    ...(teamPath === undefined ? {} : { teamPath }),
    ...(families ? { families } : {}),
  }))

const SCOPES = [
  { teamPath: 'a', environment: 'test', protected: false, allowedSubjects: [] },
  { teamPath: 'a/b', environment: 'prod', protected: true, allowedSubjects: ['user:ada'] },
]

const subjectOf = (roles: readonly { role: (typeof ROLE_NAMES)[number]; teamPath: string }[], limited?: Limits) => {
  const grants = roles.map((held) => ({ ...held, subjectKind: 'user' as const, subjectId: 'ada' }))
  const snapshot = aSnapshot({ users: [{ id: 'ada', login: 'ada' }], grants, scopes: SCOPES })
  const token = limited && { id: 'token', name: 'token', limits: limited }
  const subject = snapshot.subject('user', 'ada', token)
  assert.ok(subject)
  return { snapshot, subject }
}

describe('a token with limits', () => {
  test('may do what its owner may and each limit leaves, and nothing else', () => {
    const asked = fc.tuple(fc.array(role, { maxLength: 4 }), limits, permission, somewhere)
    fc.assert(
      fc.property(asked, ([roles, limited, one, at]) => {
        const owner = subjectOf(roles).subject
        const expected =
          owner.can(one, at) &&
          isLimitable(one) &&
          (!limited.isReadOnly || one.endsWith('.read')) &&
          (!limited.permissions || limited.permissions.includes(one)) &&
          (!limited.families || limited.families.includes(familyOf(one))) &&
          (limited.teamPath === undefined || pathAndAbove(at).includes(limited.teamPath))
        const { subject } = subjectOf(roles, limited)
        assert.equal(subject.can(one, at), expected)
        assert.equal(subject.can(one, at), owner.can(one, at) && refusingLimit(limited, one, at) === undefined)
        const prefixes = subject.prefixes(one)
        assert.equal(
          prefixes.some((prefix) => pathAndAbove(at).includes(prefix)),
          expected,
        )
        for (const prefix of prefixes) {
          assert.ok(subject.can(one, prefix))
          assert.deepEqual(
            prefixes.filter((other) => pathAndAbove(prefix).includes(other)),
            [prefix],
          )
        }
        const told = [...subject.byPath].some(([place, held]) => pathAndAbove(at).includes(place) && held.has(one))
        assert.equal(told, expected, 'what is told of it agrees')
      }),
      { numRuns: 3000 },
    )
  })

  test('uses a scope only where the limits leave it, also a protected one that names its owner', () => {
    fc.assert(
      fc.property(fc.array(role, { maxLength: 3 }), limits, (roles, limited) => {
        const owner = subjectOf(roles).subject
        const { snapshot, subject } = subjectOf(roles, limited)
        for (const { teamPath, environment } of SCOPES) {
          const scope = `${teamPath}/${environment}`
          const expected = owner.mayUse(scope) && refusingLimit(limited, 'scope.use', teamPath) === undefined
          assert.equal(subject.mayUse(scope), expected)
          assert.equal(snapshot.canUseScope(subject, scope), expected)
          assert.equal(snapshot.judgeScope(subject, scope) === 'usable', expected)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('that limits nothing but reading still gives no access away', () => {
    const everything = subjectOf([{ role: 'administrator', teamPath: '/' }]).subject
    const limited = narrow(everything, { teamPath: 'a', isReadOnly: false })
    const lost = PERMISSION_NAMES.filter((name) => !limited.can(name, 'a/b'))
    assert.deepEqual(lost.toSorted(), [
      'git_app.write',
      'grant.write',
      'override.write',
      'service_account.write',
      'token.write',
      'user.write',
      'webhook_source.write',
    ])
    assert.deepEqual(LIMITABLE_PERMISSIONS.length, PERMISSION_NAMES.length - lost.length)
  })
})

test('each family has a permission, and each permission one family', () => {
  const used = new Set(PERMISSION_NAMES.map(familyOf))
  assert.deepEqual([...used].sort(), [...FAMILY_NAMES].sort())
})
