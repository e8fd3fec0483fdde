import { afterEach, expect, test, vi } from 'vitest'
import { atLast, inTurn } from './last-calls.ts'

const told: string[] = []
const call = (name: string, answer: Promise<unknown> = Promise.resolve()) =>
  inTurn(async () => {
    told.push(`sends ${name}`)
    await answer
    told.push(`ends ${name}`)
  })

afterEach(() => {
  told.length = 0
  vi.useRealTimers()
})

test('what is under way is answered before the session ends, and what comes then waits', async () => {
  const answer = Promise.withResolvers<void>()
  const under = call('first', answer.promise)
  const refusal = Promise.withResolvers<void>()
  const leaving = atLast(async () => {
    told.push('leaves')
    await refusal.promise
  })
  const waiting = call('second')
  answer.resolve()
  await under
  await vi.waitFor(() => expect(told).toEqual(['sends first', 'ends first', 'leaves']))
  // Signing out failed: the page goes on.
  refusal.reject(new Error('away'))
  await expect(leaving).rejects.toThrow('away')
  await waiting
  expect(told.slice(3)).toEqual(['sends second', 'ends second'])
})

test('a call that hangs keeps nobody signed in', async () => {
  vi.useFakeTimers()
  void call('one without an answer', new Promise(() => undefined))
  const leaving = atLast(() => Promise.reject(new Error('the end')))
  const seen = expect(leaving).rejects.toThrow('the end')
  await vi.advanceTimersByTimeAsync(2000)
  await seen
})
