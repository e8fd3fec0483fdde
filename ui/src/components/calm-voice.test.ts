import { expect, test } from 'vitest'
import { CalmVoice } from './calm-voice.ts'

test('what was said already is not said again', () => {
  expect(new CalmVoice().waitFor('1 new', '1 new', 0)).toBeUndefined()
})

test('each change puts it off until the text rests', () => {
  const voice = new CalmVoice()
  expect(voice.waitFor('1 new', '', 0)).toBe(1500)
  expect(voice.waitFor('2 new', '', 1000)).toBe(1500)
})

test('a text that never rests is said after 10 s all the same', () => {
  const voice = new CalmVoice()
  voice.waitFor('1 new', '', 0)
  expect(voice.waitFor('90 new', '', 9500)).toBe(500)
  expect(voice.waitFor('91 new', '', 10_400)).toBe(0)
})

test('after an announcement there is silence for 10 s', () => {
  const voice = new CalmVoice()
  voice.waitFor('1 new', '', 0)
  voice.speak(1500)
  expect(voice.waitFor('2 new', '1 new', 2000)).toBe(9500)
  expect(voice.waitFor('3 new', '1 new', 11_000)).toBe(1000)
  expect(voice.waitFor('4 new', '1 new', 20_000)).toBe(0)
})
