import { describe, expect, test } from 'vitest'
import { isFailed, leftOutWords, linesWords, tasksWords, titleOf } from './why-words.ts'

describe('the words of "Why?"', () => {
  test('name the question that a state raises', () => {
    expect([titleOf('queued'), titleOf('failure'), titleOf('a_word_of_tomorrow')]).toEqual([
      'Why it waits',
      'Why it failed',
      'What became of it',
    ])
    expect(['failure', 'timed_out', 'warning', 'success', 'canceled', 'queued'].map(isFailed)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })

  test('count what is not shown', () => {
    const first = [{ step: 'test', task: 'unit' }]
    expect(tasksWords({ count: 1, first })).toBe('1 task: test/unit')
    expect(tasksWords({ count: 12, first })).toBe('12 tasks, such as test/unit')
    expect(leftOutWords(['runner.read', 'knowledge.read'])).toBe(
      'More would be shown with runner.read and knowledge.read.',
    )
  })

  test('say how lines were chosen', () => {
    expect(linesWords('new_lines', 1)).toContain('the last success')
    expect(linesWords('new_lines', 3)).toContain('last 3 successes')
    expect(linesWords('tail', 0)).toContain('the last ones')
  })
})
