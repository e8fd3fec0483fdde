import { expect, test } from 'vitest'
import { showInvisible } from './show-invisible.ts'

test('plain text of any language stays as it is', () => {
  for (const text of ['main', 'Straße', 'שלום', 'नमस्ते', 'a\tb\nc', '👩🏽']) expect(showInvisible(text)).toBe(text)
})

test.each([
  ['admin\u202egnp.exe', 'admin[U+202E]gnp.exe'],
  ['a\u200bb', 'a[U+200B]b'],
  ['\u0007', '[U+0007]'],
  ['x\u{e0041}', 'x[U+E0041]'],
])('%j is shown as %s', (text, shown) => {
  expect(showInvisible(text)).toBe(shown)
})

test('a tower of combining marks is cut', () => {
  expect(showInvisible(`a${'\u0301'.repeat(100_000)}b`).length).toBeLessThan(20)
})
