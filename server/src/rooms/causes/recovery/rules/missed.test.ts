import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LoggedDelivery } from '#adapters/forges'
import { attemptedAt, isArrived, judgeAnswers, missedIn, pauseOf } from './missed.ts'

const NOW = new Date('2026-11-28T10:00:00.000Z')
const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)

function logged(
  deliveryId: string,
  attemptId: string,
  deliveredAt: string | null = at(-5).toISOString(),
): LoggedDelivery {
  return { attemptId, deliveryId, deliveredAt, eventType: 'push', action: null, status: 502, repositoryId: null }
}

const answer = (deliveryRecordId: string, statusCode: number, receivedAt = NOW) => ({
  deliveryId: 'd',
  deliveryRecordId,
  statusCode,
  receivedAt,
})

describe('an answer', () => {
  for (const [statusCode, counts] of [
    [200, true],
    [202, true],
    [400, true],
    [403, true],
    [404, true],
    [422, true],
    [429, false],
    [500, false],
    [503, false],
  ] as const) {
    test(`${statusCode} ${counts ? 'counts' : 'counts not'}: the delivery is ${counts ? 'here' : 'still missing'}`, () => {
      assert.equal(isArrived({ statusCode }), counts)
    })
  }

  test('that counts hides one that does not, whichever came first; of several the first is what came', () => {
    const record = (...answers: Parameters<typeof judgeAnswers>[0][number][]) =>
      judgeAnswers(answers).get('d')?.deliveryRecordId
    assert.equal(record(answer('refused', 429, at(1)), answer('here', 202, at(0))), 'here')
    assert.equal(record(answer('here', 202, at(1)), answer('refused', 503, at(0))), 'here')
    assert.equal(record(answer('second', 202, at(1)), answer('first', 200, at(0))), 'first')
    assert.equal(record(answer('first', 200, at(0)), answer('second', 202, at(1))), 'first')
    assert.equal(record(answer('refused', 429)), undefined)
  })

  test('of a disabled source gives way to any other that counts', () => {
    const status = (...codes: readonly number[]) =>
      judgeAnswers(codes.map((code, minutes) => answer(`${code}`, code, at(minutes)))).get('d')?.statusCode
    assert.deepEqual([status(404), status(404, 429), status(404, 202), status(202, 404)], [404, 404, 202, 202])
  })
})

describe('a page of the log', () => {
  test('misses each delivery once, by its newest attempt, unless it is here', () => {
    const page = [logged('a', '4'), logged('b', '3'), logged('a', '2'), logged('c', '1')]
    assert.deepEqual(
      missedIn(page, new Map([['b', 1]]), NOW).map(({ deliveryId, attemptId, missedAt }) => [
        deliveryId,
        attemptId,
        missedAt,
      ]),
      [
        ['a', '4', at(-5)],
        ['c', '1', at(-5)],
      ],
    )
  })

  test('is not believed in times of the future, none, or nonsense: they count as now', () => {
    const when = (deliveredAt: string | null) => attemptedAt({ deliveredAt }, NOW)
    assert.deepEqual(when(at(-5).toISOString()), at(-5))
    for (const wrong of [at(5).toISOString(), null, 'yesterday', '']) assert.deepEqual(when(wrong), NOW)
  })
})

test('pauses between requests double, from ten minutes', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((tries) => pauseOf(tries) / 60_000),
    [10, 20, 40, 80, 160],
  )
})
