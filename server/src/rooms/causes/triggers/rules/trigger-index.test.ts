import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { aCompiledTrigger, aStoredTrigger } from '../testing.ts'
import { foldName } from './fold-name.ts'
import { type IndexedTrigger, TriggerIndex } from './trigger-index.ts'

function anIndex(triggers: readonly IndexedTrigger[]): TriggerIndex {
  const index = new TriggerIndex()
  for (const trigger of triggers) index.put(trigger)
  return index
}

const name = fc.stringMatching(/^[A-Za-z0-9_.~ -]{1,8}$/)
const short = fc.stringMatching(/^[ab]{1,2}$/)
const repository = fc.oneof(fc.tuple(name, name), fc.tuple(short, short)).map((parts) => parts.join('/'))
const pattern = fc.oneof(
  repository,
  name.map((owner) => `${owner}/*`),
  short.map((owner) => `${owner}/a*`),
  name.map((part) => `*/${part}`),
  fc.constantFrom('**', '{a,b}/*', 'a/{a,ab}', '!a/*', '!**/b', '[ab]/b', 'a/\\a'),
)
const patterns = fc.array(pattern, { minLength: 1, maxLength: 3 })

describe('the index', () => {
  test('finds what looking at every trigger finds, after any puts and removals', () => {
    const change = fc.record({ id: fc.nat(6), repositories: fc.option(patterns) })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), repository, fc.boolean(), (changes, asked, upper) => {
        const index = new TriggerIndex()
        const live = new Map<string, IndexedTrigger>()
        for (const { id, repositories } of changes) {
          const trigger = aStoredTrigger({ id: `t${id}`, repositories: repositories ?? [] })
          if (repositories) {
            live.set(trigger.id, trigger)
            index.put(trigger)
          } else {
            live.delete(trigger.id)
            index.remove(trigger.id)
          }
        }
        const wanted = upper ? asked.toUpperCase() : asked
        const expected = [...live.values()].filter((trigger) => aCompiledTrigger(trigger).repositories?.matches(wanted))
        assert.deepEqual(
          index.find(wanted).map(({ trigger }) => trigger.id),
          expected.map(({ id }) => id).toSorted(),
        )
        assert.equal(index.size, live.size)
      }),
      { numRuns: 300 },
    )
  })

  test('finds the newest form of a trigger, and those of a set only', () => {
    const index = anIndex([aStoredTrigger({ id: 'a' }), aStoredTrigger({ id: 'b' })])
    const [first] = index.find('acme/widgets')
    assert.equal(index.find('acme/widgets')[0], first, 'it is made ready once')
    index.put(aStoredTrigger({ id: 'a', branches: ['main'] }))
    assert.deepEqual(
      index.find('acme/widgets').map(({ trigger }) => trigger.branches),
      [['main'], []],
    )
    assert.deepEqual(
      index.find('acme/widgets', new Set(['b', 'c'])).map(({ trigger }) => trigger.id),
      ['b'],
    )
  })

  test('tells once of a trigger that cannot be read, which matches nothing', () => {
    const told: string[] = []
    const index = new TriggerIndex(({ id }, problem) => told.push(`${id}: ${problem}`))
    index.put(aStoredTrigger({ id: 'broken', condition: '(' }))
    index.put(aStoredTrigger({ id: 'sound' }))
    assert.deepEqual(told, [])
    for (let round = 0; round < 2; round += 1) {
      assert.deepEqual(
        index.find('acme/widgets').map(({ trigger }) => trigger.id),
        ['sound'],
      )
    }
    assert.equal(told.length, 1)
    assert.match(told[0] ?? '', /^broken: if: /)
  })

  test('does not look at triggers of other repositories', () => {
    const index = new TriggerIndex(({ id }) => assert.fail(`${id} was looked at`))
    for (let at = 0; at < 1_000; at += 1) {
      const repositories = [[`acme/r${at}`], [`acme/team-${at}-*`], [`owner${at}/**`]][at % 3] ?? []
      index.put(aStoredTrigger({ id: `other${at}`, repositories, condition: '(' }))
    }
    index.put(aStoredTrigger())
    assert.equal(index.find('acme/widgets').length, 1)
  })

  test('a hostile pattern ends soon and takes nothing in', () => {
    const index = anIndex([aStoredTrigger({ repositories: [`${'*a'.repeat(95)}*`] })])
    assert.equal(index.find(`${'a'.repeat(500)}/${'a'.repeat(499)}`).length, 0)
  })

  test('only letters of ASCII are folded', () => {
    fc.assert(fc.property(repository, (full) => assert.equal(foldName(full), full.toLowerCase())))
    assert.equal(foldName('\u212Aelvin/\u0130'), '\u212Aelvin/\u0130')
  })
})
