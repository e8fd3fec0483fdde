import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Violation } from './checks.ts'
import { FAILING_SEEDS } from './failing-seeds.ts'
import { goodRules, type Rules } from './store.ts'
import { World } from './world.ts'

// `SIMULATION_SEEDS=20000` plays more of them, `SIMULATION_SEEDS=600-600` one alone.
const [from, to] = readSeeds(process.env['SIMULATION_SEEDS'] ?? '1000')

function readSeeds(text: string): readonly [number, number] {
  const [first = '', last] = text.split('-')
  return last === undefined ? [0, Number(first) - 1] : [Number(first), Number(last)]
}

/** The violation under this seed; undefined: none. */
function play(seed: number, rules: Rules = goodRules): string | undefined {
  const world = new World(seed, rules)
  try {
    world.run()
    return undefined
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    const diary = world.diary.map((line) => `  ${line}`).join('\n')
    const replay = `SIMULATION_SEEDS=${seed}-${seed} node --test server/src/rooms/execution/dispatch/testing/simulation/simulation.test.ts`
    return `seed ${seed}: ${error.message}\n${diary}\nplay it again: ${replay}\nand add it to failing-seeds.ts`
  }
}

describe('control planes, runners and a bad network', () => {
  test('lose nothing, do nothing twice, and bring every run to its end', () => {
    const problems: string[] = []
    for (let seed = from; seed <= to && problems.length < 3; seed++) {
      const problem = play(seed)
      if (problem !== undefined) problems.push(problem)
    }
    assert.deepEqual(problems, [], problems.join('\n\n'))
  })

  for (const { seed, found } of FAILING_SEEDS) {
    test(`seed ${seed}, which found that ${found}`, () => {
      assert.equal(play(seed), undefined)
    })
  }

  test('play the same for the same seed', () => {
    const [one, other] = [new World(77, goodRules), new World(77, goodRules)]
    one.run()
    other.run()
    assert.deepEqual(
      [one.diary, one.agenda.now, one.store.attempts],
      [other.diary, other.agenda.now, other.store.attempts],
    )
  })

  test('do meet what they are to be compared with', () => {
    const seen = new Map<string, number>()
    for (let seed = 0; seed < 60; seed++) {
      const world = new World(seed, goodRules)
      world.run()
      for (const { status } of world.store.attempts.values()) seen.set(status, (seen.get(status) ?? 0) + 1)
      for (const { state } of world.store.runs.values()) {
        seen.set(`run ${state?.status}`, (seen.get(`run ${state?.status}`) ?? 0) + 1)
      }
      for (const line of world.diary) {
        const fault = line.replace(/^\d+ ms: /, '').replace(/[-\d].*/, '')
        seen.set(fault, (seen.get(fault) ?? 0) + 1)
      }
    }
    const ends = ['success', 'failure', 'timed_out', 'canceled', 'lost', 'run success', 'run failure', 'run warning']
    const faults = ['plane', 'runner', 'the database is away for ', 'run']
    for (const what of [...ends, ...faults])
      assert.ok((seen.get(what) ?? 0) > 3, `${what}: ${seen.get(what) ?? 0} times`)
  })
})

describe('a broken rule is seen', () => {
  const broken: Readonly<Record<keyof Rules, RegExp>> = {
    resultNeedsLease: /went from \w+ to \w+|has a second result/,
    revisionIsCompared:
      /has not ended|was made twice|went back|was \w+ and is|moves again|another ending|still (leased|waiting)/,
    linesAreStoredFirst: /acknowledged and not stored|are gone/,
    leaseIsAwaited: /begins on .* while|was made while|nobody ended|has room for/,
    fencesAreCompared: /nobody ended|went from \w+ to \w+|has a second result/,
    forgottenPlacesAreFreed: /has not ended|still waiting/,
    staleStatesAreReloaded: /has not ended/,
    storedLinesMeanBegun: /acknowledged and not stored/,
  }
  for (const [rule, expected] of Object.entries(broken)) {
    test(`${rule}`, () => {
      const seeds = [...FAILING_SEEDS.map(({ seed }) => seed), ...Array.from({ length: 1_000 }, (_, seed) => seed)]
      let problem: string | undefined
      for (const seed of seeds) problem ??= play(seed, { ...goodRules, [rule]: false })
      assert.match(problem ?? 'nothing was seen', expected)
    })
  }
})
