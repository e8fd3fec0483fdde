import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLE_NAMES } from '@signalbox/contracts/access'
import fc from 'fast-check'
import { compareRights } from './member-rights.ts'

const right = fc.record(
  {
    role: fc.constantFrom(...ROLE_NAMES),
    teamPath: fc.constantFrom('/', 'acme', 'acme/web'),
    groupId: fc.constantFrom(null, 'leads'),
  },
  { noNullPrototype: true },
)

test('the strongest role comes first, then what was given nearest, then what was given to the member itself', () => {
  const rights = [
    { role: 'viewer', teamPath: 'acme/web', groupId: null },
    { role: 'owner', teamPath: '/', groupId: null },
    { role: 'owner', teamPath: 'acme', groupId: 'leads' },
    { role: 'owner', teamPath: 'acme', groupId: null },
  ] as const
  assert.deepEqual(
    rights.toSorted(compareRights).map(({ role, teamPath, groupId }) => `${role} ${teamPath} ${groupId}`),
    ['owner acme null', 'owner acme leads', 'owner / null', 'viewer acme/web null'],
  )
})

test('the order is one: it does not depend on how the rights came', () => {
  fc.assert(
    fc.property(fc.array(right), (rights) => {
      const sorted = rights.toSorted(compareRights)
      assert.deepEqual(sorted, rights.toReversed().toSorted(compareRights))
      for (const [at, each] of sorted.entries()) {
        const next = sorted[at + 1]
        if (next) assert.ok(compareRights(each, next) <= 0)
      }
    }),
  )
})
