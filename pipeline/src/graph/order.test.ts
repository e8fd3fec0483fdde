import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { orderOf } from './order.ts'

const nodes = (edges: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(edges).map(([name, dependsOn]) => ({ name, dependsOn }))

test('what is upstream is complete before, also without a direct dependency', () => {
  const { cycles, precedes } = orderOf(nodes({ a: [], b: ['a'], c: ['b'], d: [] }))
  assert.deepEqual(cycles, [])
  assert.ok(precedes('a', 'c') && precedes('a', 'b') && precedes('b', 'c'))
  assert.ok(!precedes('c', 'a') && !precedes('d', 'c') && !precedes('a', 'a') && !precedes('x', 'a'))
})

test('each knot gives one shortest cycle', () => {
  assert.deepEqual(orderOf(nodes({ a: ['a'] })).cycles, [['a']])
  const { cycles } = orderOf(nodes({ a: ['b'], b: ['c', 'a'], c: ['a'], d: ['e'], e: ['d'], f: ['a'] }))
  assert.deepEqual(cycles, [
    ['a', 'b'],
    ['d', 'e'],
  ])
})

test('a chain of 50,000 does not exhaust the stack', () => {
  const chain = Array.from({ length: 50_000 }, (_, at) => ({
    name: `${at}`,
    dependsOn: at === 49_999 ? ['0'] : [`${at + 1}`],
  }))
  assert.equal(orderOf(chain).cycles[0]?.length, 50_000)
})

test('precedes is reachability, and there are cycles exactly when something reaches itself', () => {
  const names = Array.from('abcdefgh')
  const graph = fc.tuple(
    ...names.map((name) => fc.subarray(names, { maxLength: 2 }).map((dependsOn) => ({ name, dependsOn }))),
  )
  fc.assert(
    fc.property(graph, (given) => {
      const reach = (from: string) => {
        const found = new Set<string>(given.find((node) => node.name === from)?.dependsOn)
        for (const name of found)
          for (const next of given.find((node) => node.name === name)?.dependsOn ?? []) found.add(next)
        return found
      }
      const { cycles, precedes } = orderOf(given)
      assert.equal(
        cycles.length > 0,
        names.some((name) => reach(name).has(name)),
      )
      if (cycles.length > 0) return
      for (const later of names)
        for (const earlier of names) assert.equal(precedes(earlier, later), reach(later).has(earlier))
    }),
  )
})
