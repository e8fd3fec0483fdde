import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestClock, testCaller } from '#platform/testing'
import { createTrials, TRIAL_LIMITS } from './try-item.ts'

const caller = (id: string) => ({ ...testCaller(), id })
const { signal } = new AbortController()

/** Trials that wait in their turn until they are let go; `begun` counts the turns. */
function openTrials() {
  const gate = Promise.withResolvers<undefined>()
  const seen = { begun: 0 }
  const trials = createTrials({
    clock: createTestClock(),
    knowledge: {
      prepareTrial: async () => ({
        identifier: 'acme/idea',
        teamPath: 'acme',
        ask: () => assert.fail('no run is there'),
      }),
      violatorsOf: () => [],
    },
    runs: {
      progress: {
        past: {
          async list() {
            seen.begun += 1
            await gate.promise
            return []
          },
          read: async () => [],
        },
      },
    },
  })
  return { trials, seen, letGo: () => gate.resolve(undefined) }
}

const WISH = { item: 'acme/idea' }
const REFUSED = { code: 'rate_limited', headers: { 'retry-after': '20' } }

test('one caller has two trials in the line, and may ask again when they are over', async () => {
  const { trials, letGo } = openTrials()
  const own = [trials(caller('a'), WISH, signal), trials(caller('a'), WISH, signal)]
  await assert.rejects(trials(caller('a'), WISH, signal), REFUSED)
  const other = trials(caller('b'), WISH, signal)
  letGo()
  await Promise.all([...own, other])
  assert.equal((await trials(caller('a'), WISH, signal)).tried, 0)
})

test('the line of all callers is bounded', async () => {
  const { trials, letGo } = openTrials()
  const all = Array.from({ length: TRIAL_LIMITS.perProcess }, (_, at) => trials(caller(`user ${at}`), WISH, signal))
  await assert.rejects(trials(caller('late'), WISH, signal), REFUSED)
  letGo()
  await Promise.all(all)
})

test('who goes away while waiting is not worked for, and gives the place back', async () => {
  const { trials, seen, letGo } = openTrials()
  const leaving = new AbortController()
  const first = trials(caller('a'), WISH, signal)
  const left = assert.rejects(trials(caller('a'), WISH, leaving.signal), { name: 'AbortError' })
  leaving.abort()
  letGo()
  await first
  await left
  assert.equal(seen.begun, 1)
  await trials(caller('a'), WISH, signal)
})
