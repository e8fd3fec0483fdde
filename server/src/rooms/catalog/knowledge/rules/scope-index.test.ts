import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compilePattern } from '@signalbox/pipeline/patterns'
import fc from 'fast-check'
import { aCopiedItem } from '../testing.ts'
import { ScopeIndex } from './scope-index.ts'

const label = fc.constantFrom('acme', 'acme2', 'web', 'ops', 'production', 'test')
const team = fc.array(label, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
const owner = fc.oneof(team, fc.constant('/'))
const pattern = fc
  .array(fc.oneof(label, fc.constantFrom('*', '**', 'acme*', '{web,ops}', '?cme', '[a-p]*')), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join('/'))
const scope = fc.tuple(team, label).map((parts) => parts.join('/'))
const item = fc.record({ teamPath: owner, scope: pattern })

describe('what holds where', () => {
  test('is found as by looking at everything, from the platform downwards', () => {
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 30 }),
        fc.array(scope, { minLength: 1, maxLength: 3 }),
        (given, scopes) => {
          const items = given.map((each, at) => aCopiedItem({ ...each, id: `i${String(at).padStart(3, '0')}` }))
          const holds = (of: { teamPath: string; scope: string }, where: string): boolean =>
            (of.teamPath === '/' || where.slice(0, where.lastIndexOf('/') + 1).startsWith(`${of.teamPath}/`)) &&
            compilePattern(of.scope)(where)
          const expected = items.filter((each) => scopes.some((where) => holds(each, where))).map(({ id }) => id)
          const found = new ScopeIndex(items).find(...scopes)
          assert.deepEqual(found.map(({ id }) => id).toSorted(), expected)
          const depths = found.map(({ teamPath }) => teamPath.length)
          assert.deepEqual(
            depths,
            depths.toSorted((a, b) => a - b),
          )
        },
      ),
      { numRuns: 500 },
    )
  })

  test('is one list for the same question, and is not looked for again', () => {
    const index = new ScopeIndex([aCopiedItem()])
    const found = index.find('acme/web/test', 'acme/ops/test')
    assert.equal(found.length, 1, 'once, though it holds in both')
    assert.equal(index.find('acme/web/test', 'acme/ops/test'), found)
  })

  test('items of other teams are not held against a scope', () => {
    // Each of them would fit any scope that it is held against.
    const others = Array.from({ length: 1000 }, (_, at) =>
      aCopiedItem({ id: `o${at}`, teamPath: `other${at}`, scope: '[' }),
    )
    const index = new ScopeIndex([...others, aCopiedItem({ id: 'ours' })])
    assert.deepEqual(
      index.find('acme/web/test').map(({ id }) => id),
      ['ours'],
    )
  })

  test('a pattern that cannot be read any more takes in all of its team, and nothing else', () => {
    const index = new ScopeIndex([aCopiedItem({ scope: '[' })])
    assert.equal(index.find('acme/web/test').length, 1)
    assert.equal(index.find('other/test').length, 0)
    assert.equal(index.find('acme-labs/test').length, 0)
  })
})
