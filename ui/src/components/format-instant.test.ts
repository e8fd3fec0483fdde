import { expect, test } from 'vitest'
import { formatInstant, formatRelative, formatTime } from './format-instant.ts'

const at = (text: string) => new Date(text)
const NOON = at('2026-11-23T12:00:00Z')

test('an instant is written in the zone that is named', () => {
  expect(formatInstant(NOON, 'Europe/Berlin')).toBe('Mon, 23 Nov 2026, 13:00:00 CET')
  expect(formatInstant(NOON, 'Asia/Tokyo')).toBe('Mon, 23 Nov 2026, 21:00:00 GMT+9')
  expect(formatTime(NOON, 'Asia/Tokyo')).toBe('21:00:00')
})

test('an instant far from now is a date, a near one a distance', () => {
  const relative = (text: string) => formatRelative(at(text), NOON, 'UTC')
  expect(relative('2026-11-23T12:00:03Z')).toBe('in a moment')
  expect(relative('2026-11-23T11:59:55Z')).toBe('just now')
  expect(relative('2026-11-23T11:57:00Z')).toBe('3 min. ago')
  expect(relative('2026-11-23T14:00:00Z')).toBe('in 2 hr.')
  expect(relative('2026-11-22T12:00:00Z')).toBe('yesterday')
  expect(relative('2026-09-01T12:00:00Z')).toBe('1 Sept 2026')
})

test('a date beyond 30 days is that of the chosen zone', () => {
  const instant = new Date('2026-01-01T23:30:00Z')
  const now = new Date('2026-06-01T00:00:00Z')
  expect(formatRelative(instant, now, 'UTC')).toBe('1 Jan 2026')
  expect(formatRelative(instant, now, 'Asia/Tokyo')).toBe('2 Jan 2026')
})
