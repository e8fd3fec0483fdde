import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { holdsAll, prefixesWithin, systemCaller, watchCaller } from './caller.ts'

describe('what a caller sees of a team', () => {
  test('is all of it, the parts below it that are granted, or nothing', () => {
    assert.deepEqual(prefixesWithin(['/'], 'acme'), ['acme'])
    assert.deepEqual(prefixesWithin(['acme'], 'acme/web'), ['acme/web'])
    assert.deepEqual(prefixesWithin(['acme/web', 'acme/api', 'other'], 'acme'), ['acme/web', 'acme/api'])
    assert.deepEqual(prefixesWithin(['acme/web'], 'acme/webshop'), [])
  })
})

test('what an answer needed is held only where all of it is', () => {
  const caller = {
    ...systemCaller('test'),
    can: (permission: string, path: string) => `${permission} ${path}` === 'run.read x',
  }
  assert.equal(holdsAll(caller, []), true)
  assert.equal(holdsAll(caller, [['run.read', 'x']]), true)
  assert.equal(
    holdsAll(caller, [
      ['run.read', 'x'],
      ['run.read', 'y'],
    ]),
    false,
  )
})

test('what an answer needed is held only while its environment may be used', () => {
  const caller = { ...systemCaller('test'), mayUse: (scope: string) => scope === 'acme/production' }
  const watched = watchCaller(caller, true)
  assert.deepEqual([watched.mayUse('acme/production'), watched.mayUse('acme/other')], [true, false])
  assert.equal(watched.held.length, 1)
  assert.equal(holdsAll(caller, watched.held), true)
  assert.equal(holdsAll({ ...caller, mayUse: () => false }, watched.held), false)
})
