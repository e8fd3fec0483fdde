import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { describeOutside, type RepositoryName, RepositoryNames, uniteNames } from './repository-names.ts'

const AT = new Date('2026-11-23T10:00:00.000Z')
const SOURCE = 'one'
const later = (minutes: number): Date => new Date(AT.getTime() + minutes * 60_000)

let revision = 0
function aName(name: string, repositoryId: string, overrides: Partial<RepositoryName> = {}): RepositoryName {
  revision += 1
  return { sourceId: SOURCE, name, repositoryId, contested: false, since: AT, revision, ...overrides }
}

function names(...rows: readonly RepositoryName[]): RepositoryNames {
  const all = new RepositoryNames()
  for (const row of rows) all.put(row)
  return all
}

const look = (all: RepositoryNames, id: string | null, fullName: string, at = later(60)) =>
  all.look(SOURCE, { id, full_name: fullName }, at)

describe('the name of a repository', () => {
  test('is news the first time, and in another case it is not', () => {
    assert.deepEqual(look(names(), '1', 'acme/old'), { otherNames: undefined, isNews: true })
    const all = names(aName('acme/old', '1'))
    assert.deepEqual(look(all, '1', 'acme/old'), { otherNames: undefined, isNews: false })
    assert.deepEqual(look(all, '1', 'Acme/OLD'), { otherNames: undefined, isNews: false })
  })

  test('that changed has the one before beside it, also once it is stored', () => {
    const old = aName('acme/old', '1')
    const expected = { current: 'acme/new', others: ['acme/old'] }
    assert.deepEqual(look(names(old), '1', 'acme/new'), { otherNames: expected, isNews: true })
    assert.deepEqual(look(names(old, aName('acme/new', '1')), '1', 'acme/new'), {
      otherNames: expected,
      isNews: false,
    })
  })

  test('says nothing for another source, for another id, or without an id', () => {
    const all = names(aName('acme/old', '1'))
    assert.equal(all.look('two', { id: '1', full_name: 'acme/new' }, AT).otherNames, undefined)
    assert.equal(look(all, '2', 'acme/new').otherNames, undefined)
    for (const id of [null, '']) {
      assert.deepEqual(look(all, id, 'acme/new'), { otherNames: undefined, isNews: false })
    }
  })

  test('that comes again soon is only late; later it is the name once more', () => {
    const all = names(aName('acme/old', '1'), aName('acme/new', '1'))
    const late = look(all, '1', 'acme/old', later(9))
    assert.deepEqual(late, { otherNames: { current: 'acme/new', others: ['acme/new'] }, isNews: false })
    const back = look(all, '1', 'acme/old', later(10))
    assert.deepEqual(back, { otherNames: { current: 'acme/old', others: ['acme/new'] }, isNews: true })
  })

  test('that another repository takes belongs to neither by memory, in any order of tellings', () => {
    const before = [aName('acme/old', '1'), aName('acme/new', '1')]
    assert.equal(look(names(...before), '2', 'acme/old').isNews, true)
    const all = names(...before, aName('acme/old', '1', { contested: true }))
    assert.equal(look(all, '1', 'acme/new').otherNames, undefined)
    assert.equal(look(all, '2', 'acme/old').isNews, false)
    assert.equal(look(all, '1', 'acme/old').isNews, false)
    assert.equal(look(all, '2', 'acme/next').otherNames, undefined)
  })

  test('is one of five that count, the newest first', () => {
    const all = names(...[1, 2, 3, 4, 5, 6].map((n) => aName(`acme/n${n}`, '1')))
    const { otherNames } = look(all, '1', 'acme/n7')
    assert.deepEqual(otherNames?.others, ['acme/n6', 'acme/n5', 'acme/n4', 'acme/n3', 'acme/n2'])
  })

  test('is not learnt where a source has named 20,000; a name that is taken over is', () => {
    const all = names(...Array.from({ length: 20_000 }, (_, n) => aName(`acme/n${n}`, String(n))))
    assert.equal(look(all, 'x', 'acme/more').isNews, false)
    assert.equal(look(all, 'x', 'acme/n7').isNews, true)
  })
})

/** The table of names in memory, under the same rule as the statement of the store. */
function createTable() {
  const rows = new Map<string, RepositoryName>()
  return (name: string, repositoryId: string, since: Date): RepositoryName => {
    const before = rows.get(name)
    const contested = before !== undefined && (before.contested || before.repositoryId !== repositoryId)
    const row = aName(name, before?.repositoryId ?? repositoryId, { contested, since })
    rows.set(name, row)
    return row
  }
}

const told = fc.record({ id: fc.constantFrom('1', '2', '3'), name: fc.constantFrom('a/a', 'a/b', 'a/c', 'a/d') })

describe('whatever is told in whichever order', () => {
  test('another name is one that this repository had, and no other one ever', () => {
    fc.assert(
      fc.property(fc.array(told, { maxLength: 20 }), fc.array(fc.nat(20)), (deliveries, minutes) => {
        const [all, store] = [names(), createTable()]
        let at = AT
        for (const [turn, { id, name }] of deliveries.entries()) {
          at = new Date(at.getTime() + (minutes[turn] ?? 0) * 60_000)
          const { otherNames, isNews } = look(all, id, name, at)
          const seen = deliveries.slice(0, turn)
          for (const other of otherNames?.others ?? []) {
            assert.notEqual(other, name)
            assert.ok(seen.some((one) => one.id === id && one.name === other))
            assert.ok(!seen.some((one) => one.id !== id && one.name === other))
          }
          if (isNews) all.put(store(name, id, at))
          assert.equal(look(all, id, name, at).isNews, false, 'what is stored is no news')
        }
      }),
    )
  })

  test('copies that hear of the same changes in other orders, and twice, answer alike', () => {
    fc.assert(
      fc.property(fc.array(told, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (deliveries, order) => {
        const store = createTable()
        const rows = deliveries.map(({ id, name }) => store(name, id, AT))
        const shuffled = [...rows, ...rows]
          .map((row) => [order.next().value, row] as const)
          .toSorted(([one], [other]) => Number(one) - Number(other))
          .map(([, row]) => row)
        for (const id of ['1', '2', '3']) {
          for (const name of ['a/a', 'a/e']) {
            assert.deepEqual(look(names(...shuffled), id, name), look(names(...rows), id, name))
          }
        }
      }),
    )
  })
})

test('names of a group are stored once each, in the order of the last word; those of two repositories are contested', () => {
  const learnt = (name: string, repositoryId: string) => ({ sourceId: SOURCE, name, repositoryId, since: AT })
  const united = uniteNames([
    learnt('a/a', '1'),
    learnt('a/b', '1'),
    learnt('A/a', '1'),
    learnt('a/c', '1'),
    learnt('a/c', '2'),
  ])
  assert.deepEqual(
    united.map(({ name, contested }) => [name, contested]),
    [
      ['a/b', false],
      ['A/a', false],
      ['a/c', true],
    ],
  )
})

test('a refusal names what to change only where the repository was allowed before', () => {
  assert.equal(describeOutside('b/x', undefined), 'The repository b/x is not in the allowlist of the source.')
  assert.match(describeOutside('b/x', 'a/x'), /It was a\/x before, .* add b\/x to repository_allowlist/)
})
