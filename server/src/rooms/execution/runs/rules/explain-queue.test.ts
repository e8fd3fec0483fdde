import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { explainHolder, explainQueue } from './explain-queue.ts'

const FULL = 'The 2 runners that serve the scope acme/web/production have no free slot.'
const judged = (reason: string | null, runners: number, taken: number, total: number) => ({
  eligible: [],
  verdicts: [],
  reason,
  places: { runners, taken, total },
})

describe('a run that waits for a runner', () => {
  test('is about to be assigned where a place is free and nobody is before it', () => {
    assert.equal(explainQueue(judged(null, 1, 0, 4), 0, 1000), 'A runner can take it; it is about to be assigned.')
  })

  test('says who is before it while places are free', () => {
    assert.equal(
      explainQueue(judged(null, 2, 7, 8), 312, 1000),
      '312 runs are before it. 7 of 8 places are taken at the 2 runners that can take it.',
    )
    assert.equal(
      explainQueue(judged(null, 1, 1, 2), 1, 1000),
      '1 run is before it. 1 of 2 places is taken at the runner that can take it.',
    )
  })

  test('says which places are taken, and who is before it', () => {
    assert.equal(explainQueue(judged(FULL, 2, 8, 8), 0, 1000), `${FULL} 8 of 8 places are taken.`)
    assert.equal(
      explainQueue(judged(FULL, 2, 8, 8), 40, 1000),
      `${FULL} 8 of 8 places are taken. 40 runs are before it.`,
    )
  })

  test('says that it is not known how many are before it where they are not counted', () => {
    assert.equal(
      explainQueue(judged(FULL, 2, 8, 8), null, 1000),
      `${FULL} 8 of 8 places are taken. More than 1000 runs are before it.`,
    )
  })

  test('says what no runner meets, whoever is before it', () => {
    const reason = 'No runner serves the scope acme/web/production.'
    assert.equal(explainQueue(judged(reason, 0, 0, 0), 40, 1000), reason)
  })
})

describe('an attempt that waits for the runner with its workspace', () => {
  test('names the runner and the step, and why the runner cannot take it now', () => {
    const holder = 'The task waits for runner ci-1, which has the shared workspace of step build.'
    assert.equal(explainHolder('ci-1', 'build', null), holder)
    assert.equal(explainHolder('ci-1', 'build', 'The runner is disabled.'), `${holder} The runner is disabled.`)
    assert.match(
      explainHolder(undefined, 'build', 'No runner is there.'),
      /^The task waits for a runner that was removed, /,
    )
  })
})
