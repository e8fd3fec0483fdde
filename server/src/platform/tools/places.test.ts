import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Permission } from '@signalbox/contracts/access'
import fc from 'fast-check'
import { testCaller } from '#platform/testing'
import { placesOf } from './places.ts'

const TREE = ['acme', 'acme/web', 'acme/web/shop', 'acme/ops', 'other', 'other/web']
const PERMISSIONS: readonly Permission[] = ['run.read', 'run.start', 'log.read']
const grants = fc.dictionary(fc.constantFrom('/', ...TREE), fc.subarray([...PERMISSIONS]), { maxKeys: 4 })

test('property: a team lies in a place exactly where all of the permissions are held there', () => {
  fc.assert(
    fc.property(grants, fc.subarray([...PERMISSIONS], { minLength: 1 }), (held, needed) => {
      const caller = testCaller(held)
      const places = placesOf(needed, caller)
      for (const team of TREE) {
        const isHeld = needed.every((permission) => caller.can(permission, team))
        const isPlace = places.some((place) => place === '/' || team === place || team.startsWith(`${place}/`))
        assert.equal(isPlace, isHeld, `${team} of ${JSON.stringify(held)}`)
      }
    }),
  )
})

test('what needs no permission is of use everywhere', () => {
  assert.deepEqual(placesOf([], testCaller({})), ['/'])
})
