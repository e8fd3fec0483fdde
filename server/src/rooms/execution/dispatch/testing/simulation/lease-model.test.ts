import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findWrong } from './lease-checks.ts'
import { begin, keptRules, type LeaseRules, moves } from './lease-model.ts'
import { isEnd, keyOf, type State } from './lease-state.ts'

interface Found {
  readonly states: number
  /** How what is wrong comes about, the shortest way. */
  readonly path: readonly string[] | undefined
  /** A state from which the run cannot end any more. */
  readonly stuck: readonly string[] | undefined
}

/** Looks at every state that can be reached, the nearest first. */
function explore(rules: LeaseRules, mayStop = true): Found {
  const first = begin()
  const numbers = new Map<string, number>([[keyOf(first), 0]])
  const states: State[] = [first]
  const origins: { readonly from: number; readonly name: string }[] = [{ from: -1, name: 'begin' }]
  const back: number[][] = [[]]
  const pathTo = (number: number): string[] => {
    const path: string[] = []
    for (let at = number; at > 0; at = origins[at]?.from ?? 0) path.unshift(origins[at]?.name ?? '')
    return path
  }
  for (const [number, state] of states.entries()) {
    for (const { name, to } of moves(state, rules)) {
      const wrong = findWrong(state, to)
      if (wrong !== undefined && mayStop) {
        return { states: states.length, path: [...pathTo(number), name, wrong], stuck: undefined }
      }
      const key = keyOf(to)
      const known = numbers.get(key) ?? states.length
      if (known === states.length) {
        numbers.set(key, known)
        states.push(to)
        origins.push({ from: number, name })
        back.push([])
      }
      back[known]?.push(number)
    }
  }
  const ends = states.flatMap((state, number) => (isEnd(state) ? [number] : []))
  const canEnd = new Set(ends)
  for (const number of canEnd) for (const earlier of back[number] ?? []) canEnd.add(earlier)
  const stuck = states.findIndex((_, number) => !canEnd.has(number))
  return { states: states.length, path: undefined, stuck: stuck === -1 ? undefined : pathTo(stuck) }
}

describe('two runners, one task, three leases', () => {
  test('in every state that can be reached: one at work, one result, and a way to the end', (context) => {
    const { states, path, stuck } = explore(keptRules)
    context.diagnostic(`${states} states`)
    assert.equal(path, undefined, path?.join('\n'))
    assert.equal(stuck, undefined, stuck?.join('\n'))
    assert.ok(states > 10_000, `only ${states} states`)
  })

  const broken: Readonly<Record<keyof LeaseRules, RegExp>> = {
    fencesAreCompared: /counts that nobody reported|ended twice/,
    runnersKeepToTheirLease: /runs twice/,
    leasesRunFromSending: /runs twice/,
    leasesAreAwaited: /runs twice/,
  }
  for (const [rule, expected] of Object.entries(broken)) {
    test(`without this they would not be: ${rule}`, () => {
      const { path } = explore({ ...keptRules, [rule]: false })
      assert.match(path?.at(-1) ?? 'nothing was found', expected)
    })
  }
})
