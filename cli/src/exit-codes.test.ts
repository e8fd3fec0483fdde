import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXIT_CODES, exitCodeOfRun, exitCodeOfStatus } from './exit-codes.ts'

test('every end has a code of its own', () => {
  const codes = Object.values(EXIT_CODES).map(({ code }) => code)
  assert.equal(new Set(codes).size, codes.length)
})

test('a finished run decides the code', () => {
  const statuses = ['success', 'warning', 'failure', 'timed_out', 'canceled', 'running']
  assert.deepEqual(
    statuses.map((status) => exitCodeOfRun(status)),
    [0, 0, 10, 11, 12, 1],
  )
  assert.equal(exitCodeOfRun('warning', true), 13)
})

test('an answer that is no success decides the code', () => {
  const statuses = [400, 413, 422, 401, 403, 404, 409, 412, 429, 502, 503, 500]
  assert.deepEqual(statuses.map(exitCodeOfStatus), [2, 2, 2, 3, 3, 4, 6, 6, 5, 5, 5, 1])
})
