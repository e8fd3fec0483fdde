import { expect, test } from 'vitest'
import { Presence } from './presence.ts'

test('whoever opens the page is there, and goes when nothing is done for half a minute', () => {
  let now = 1_000_000
  const presence = new Presence(() => now)
  expect(presence.isAway()).toBe(false)
  now += 29_999
  expect(presence.isAway()).toBe(false)
  now += 1
  expect(presence.isAway()).toBe(true)
  presence.act()
  expect(presence.isAway()).toBe(false)
  now += 24 * 3_600_000
  expect(presence.isAway()).toBe(true)
})
