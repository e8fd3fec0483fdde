import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compilePatterns } from '@signalbox/pipeline/patterns'
import fc from 'fast-check'
import { aStoredTrigger } from '../testing.ts'
import { type Feed, listFed } from './fed-triggers.ts'
import { type IndexedTrigger, TriggerIndex } from './trigger-index.ts'

const segment = fc.stringMatching(/^[abAB]{1,2}$/)
const repository = fc.tuple(segment, segment).map((parts) => parts.join('/'))
const taking = fc.oneof(
  repository,
  segment.map((owner) => `${owner}/*`),
  segment.map((part) => `*/${part}`),
  segment.map((owner) => `${owner}/a*`),
  fc.constantFrom('**', '{a,b}/*', 'a/{a,ab}', '[ab]/b', 'a/\\a'),
)
const excluding = fc.oneof(repository, fc.constantFrom('a/*', '**/b')).map((pattern) => `!${pattern}`)
const patterns = fc
  .tuple(taking, fc.array(fc.oneof(taking, excluding), { maxLength: 3 }))
  .map(([first, others]) => [first, ...others])

function fedBy(trigger: IndexedTrigger, allowlist: readonly string[], context: Partial<Feed['context']> = {}) {
  const index = new TriggerIndex()
  index.put(trigger)
  return listFed(index, { context: { sourceId: 'source', visibleTo: () => true, ...context }, allowlist })
}

function takes(list: readonly string[], name: string): boolean {
  return compilePatterns(list, { caseInsensitive: true }).matches(name)
}

describe('the triggers that a source feeds', () => {
  test('leave out none that takes a repository which the source admits', () => {
    fc.assert(
      fc.property(patterns, patterns, repository, (repositories, allowlist, name) => {
        fc.pre(takes(repositories, name) && takes(allowlist, name))
        const trigger = aStoredTrigger({ repositories })
        assert.deepEqual(fedBy(trigger, allowlist), [trigger])
      }),
      { numRuns: 500 },
    )
  })

  test('are exactly those that take an admitted repository, where either list names repositories alone', () => {
    const names = fc.array(fc.oneof(repository, excluding), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(names, patterns, fc.boolean(), (plain, wild, isAllowlist) => {
        const [allowlist, repositories] = isAllowlist ? [plain, wild] : [wild, plain]
        const known = plain.filter((name) => !name.startsWith('!'))
        const isFed = known.some((name) => takes(allowlist, name) && takes(repositories, name))
        assert.equal(fedBy(aStoredTrigger({ repositories }), allowlist).length > 0, isFed)
      }),
      { numRuns: 500 },
    )
  })

  test('name no source, never did, and may use this one', () => {
    const repositories = ['a/a']
    const trigger = aStoredTrigger({ repositories })
    assert.equal(fedBy(trigger, ['**']).length, 1)
    assert.deepEqual(fedBy({ ...trigger, sourceId: 'source' }, ['**']), [])
    assert.deepEqual(fedBy({ ...trigger, sourceLostAt: new Date() }, ['**']), [])
    assert.deepEqual(fedBy(trigger, ['**'], { visibleTo: () => false }), [])
    assert.deepEqual(fedBy(trigger, ['**'], { feeds: () => false }), [])
  })
})
