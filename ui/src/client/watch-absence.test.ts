import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConnectionStore } from './connection.ts'
import { watchAbsence } from './watch-absence.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('an idle page asks until the control plane is back, and no longer', async () => {
  const connection = new ConnectionStore()
  let asked = 0
  const leave = watchAbsence(connection, async () => {
    asked += 1
    if (asked < 3) throw new Error('away')
    connection.reached()
  })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(asked).toBe(0)
  connection.lost('rights')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toBe(3)
  expect(connection.state.away).toBeUndefined()
  connection.lost('server')
  leave()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toBe(3)
})
