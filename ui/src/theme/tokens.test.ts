import { describe, expect, test } from 'vitest'
import { contrastOf } from './contrast.ts'
import { DARK, LIGHT, TONES } from './tokens.ts'

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
])('the colours of the %s scheme', (_name, scheme) => {
  test.each(TONES)('the text of %s is readable on its tint and on either ground; its bar is visible', (tone) => {
    const { text, tint, bar } = scheme.tones[tone]
    expect(contrastOf(text, tint)).toBeGreaterThanOrEqual(5.5)
    for (const ground of [scheme.surface, scheme.canvas]) {
      expect(contrastOf(text, ground)).toBeGreaterThanOrEqual(5.5)
      expect(contrastOf(bar, ground)).toBeGreaterThanOrEqual(3)
    }
  })

  test('text, muted text and links are readable on each ground', () => {
    for (const ground of [scheme.surface, scheme.canvas, scheme.raised, scheme.selected]) {
      for (const text of [scheme.text, scheme.muted, scheme.link]) {
        expect(contrastOf(text, ground)).toBeGreaterThanOrEqual(4.5)
      }
    }
  })

  test('the border of a control is visible', () => {
    expect(contrastOf(scheme.control, scheme.surface)).toBeGreaterThanOrEqual(3)
  })

  test('each colour of a terminal is readable on the ground of the log', () => {
    for (const colour of scheme.terminal) expect(contrastOf(colour, scheme.surface)).toBeGreaterThanOrEqual(4.5)
  })
})
