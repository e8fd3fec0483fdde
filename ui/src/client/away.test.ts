import { describe, expect, test } from 'vitest'
import { awayBy } from './away.ts'
import { ApiProblem, isPassing } from './problem.ts'

const problem = (status: number, body: unknown) => new ApiProblem(status, body)

describe('the control plane is away', () => {
  test('where something in between answers, without a problem of ours', () => {
    for (const status of [502, 503, 504]) {
      expect(awayBy(problem(status, '<h1>Bad gateway</h1>'))).toBe('server')
      expect(isPassing(problem(status, undefined))).toBe(true)
    }
  })

  test('where it says that it cannot do its work', () => {
    expect(awayBy(problem(503, { code: 'database_unavailable' }))).toBe('database')
    expect(awayBy(problem(503, { code: 'authorization_unavailable' }))).toBe('rights')
  })

  test('not where one thing that a request needs is away: that is said at once', () => {
    for (const [status, code] of [
      [502, 'repository.provider_unreachable'],
      [503, 'identity.provider_unreachable'],
      [503, 'storage.unavailable'],
    ] as const) {
      expect(awayBy(problem(status, { code }))).toBeUndefined()
      expect(isPassing(problem(status, { code }))).toBe(false)
    }
  })

  test('not where it has too much to do: that passes', () => {
    expect(awayBy(problem(503, { code: 'overloaded' }))).toBeUndefined()
    expect(isPassing(problem(503, { code: 'overloaded' }))).toBe(true)
    expect(isPassing(problem(429, { code: 'rate_limited' }))).toBe(true)
    expect(awayBy(problem(500, undefined))).toBeUndefined()
  })
})
