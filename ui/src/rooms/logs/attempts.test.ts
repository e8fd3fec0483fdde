import { expect, test } from 'vitest'
import { attemptsOf, firstFailure, opensAtFirst } from './attempts.ts'
import { sectionOf } from './log-entry.ts'

const attempt = (task: string, status: string, number = 1, hasBegun = true) => ({
  step: 's',
  task,
  attempt: number,
  status,
  hasBegun,
})

test('the first failure opens, unless a later attempt succeeded', () => {
  const attempts = [attempt('a', 'failure'), attempt('a', 'success', 2), attempt('b', 'lost'), attempt('c', 'failure')]
  expect(firstFailure(attempts)?.task).toBe('b')
  expect([...opensAtFirst(attempts)]).toEqual(['s/b/1'])
})

test('few open all, of many what runs', () => {
  const few = [attempt('a', 'success'), attempt('b', 'waiting', 1, false)]
  expect([...opensAtFirst(few)]).toEqual(few.map(sectionOf))
  const many = Array.from({ length: 30 }, (_, at) =>
    attempt(`t${at}`, at === 7 ? 'running' : at === 9 ? 'leased' : 'success'),
  )
  expect([...opensAtFirst(many)]).toEqual(['s/t7/1', 's/t9/1', 's/t29/1'])
})

test('a failure that is ignored is named so, and is not where the log opens', () => {
  type Steps = Parameters<typeof attemptsOf>[0]['steps']
  const task = (name: string, status: string) => ({
    name,
    status,
    attempts: [{ attempt: 1, status: 'failure', leased_at: '2026-01-01T00:00:00Z' }],
  })
  const steps = [{ name: 's', tasks: [task('lint', 'failure (ignored)'), task('unit', 'failure')] }] as unknown as Steps
  const attempts = attemptsOf({ steps }, {})
  expect(attempts.map(({ status }) => status)).toEqual(['failure (ignored)', 'failure'])
  expect(firstFailure(attempts)?.task).toBe('unit')
})

test('an attempt that a runner has is about to begin until it has begun', () => {
  type Steps = Parameters<typeof attemptsOf>[0]['steps']
  const leased = (started_at: string | null) => ({
    attempt: 1,
    status: 'leased',
    leased_at: '2026-01-01T00:00:00Z',
    started_at,
  })
  const tasks = [null, '2026-01-01T00:00:01Z'].map((at, n) => ({
    name: `t${n}`,
    status: 'running',
    attempts: [leased(at)],
  }))
  const steps = [{ name: 's', tasks }] as unknown as Steps
  expect(attemptsOf({ steps }, {}).map(({ status }) => status)).toEqual(['leased', 'running'])
})
