import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aSnapshot } from '../../../foundation/access/testing.ts'
import { aStoredSource } from '../testing.ts'
import { matchContextOf } from './match-context.ts'

const owner = (id: string) => ({ kind: 'user', id, name: id }) as const
const grant = (id: string, role: 'viewer' | 'operator' | 'editor', teamPath: string) =>
  ({ subjectKind: 'user', subjectId: id, role, teamPath }) as const
const snapshot = aSnapshot({
  users: ['vera', 'ed', 'stan'].map((id) => ({ id, login: id })),
  grants: [grant('vera', 'viewer', 'acme/web'), grant('ed', 'editor', 'acme/web'), grant('ed', 'operator', 'acme/api')],
})
const source = (visibility: 'private' | 'shared') =>
  matchContextOf(aStoredSource({ visibility, owner: owner('ed') }), snapshot)

test('a source counts for whose owner sees it, for its team and those below, and is overridden by who may change it', () => {
  const { visibleTo, feeds, overriddenBy } = source('private')
  const all = ['vera', 'ed', 'stan'].map(owner)
  assert.deepEqual(all.map(visibleTo), [true, true, false])
  assert.deepEqual(
    all.map((each) => overriddenBy?.(each)),
    [false, true, false],
  )
  const teams = ['acme/web', 'acme/web/shop', 'acme/webs', 'acme/api', 'acme']
  assert.deepEqual(
    teams.map((team) => feeds?.(team)),
    [true, true, false, false, false],
  )
})

test('a shared source is seen by all, and feeds teams for which its owner may start runs', () => {
  const { visibleTo, feeds, overriddenBy } = source('shared')
  assert.equal(visibleTo(owner('stan')), true)
  assert.equal(overriddenBy?.(owner('stan')), false)
  assert.deepEqual(
    ['acme/api', 'acme/other'].map((team) => feeds?.(team)),
    [true, false],
  )
})

test('nobody acts for an owner who is gone', () => {
  const { acts } = source('shared')
  assert.deepEqual(
    ['vera', 'gone'].map((id) => acts?.(owner(id))),
    [true, false],
  )
})
