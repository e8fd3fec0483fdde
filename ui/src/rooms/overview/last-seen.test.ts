import { describe, expect, test } from 'vitest'
import { withSeen } from './last-seen.ts'

describe('when somebody looked at a team', () => {
  test('is noted beside that of other teams', () => {
    const before = { acme: '2026-11-20T10:00:00.000Z', other: '2026-11-21T10:00:00.000Z' }
    const at = new Date('2026-11-23T10:00:00.000Z')
    expect(withSeen(before, 'acme', at)).toEqual({ acme: at.toISOString(), other: before.other })
  })

  test('forgets those that were not looked at for longest', () => {
    const many = Object.fromEntries(
      Array.from({ length: 200 }, (_, day) => [`t${day}`, new Date(day * 86_400_000).toISOString()]),
    )
    const after = withSeen(many, 'acme', new Date())
    expect(Object.keys(after)).toHaveLength(200)
    expect(after['t0']).toBeUndefined()
    expect(after['t1']).toBeDefined()
  })
})
