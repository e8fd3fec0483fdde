import { expect, test } from 'vitest'
import { firstFailure, opensAtFirst } from './attempts.ts'
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
  const many = Array.from({ length: 30 }, (_, at) => attempt(`t${at}`, at === 7 ? 'leased' : 'success'))
  expect([...opensAtFirst(many)]).toEqual(['s/t7/1', 's/t29/1'])
})
