import { expect, test } from 'vitest'
import { diffLines } from './diff-lines.ts'

test('a difference is lines that came, went or stayed', () => {
  const lines = diffLines('--- version 1\n+++ version 2\n@@ -1,2 +1,2 @@\n name: a\n-run: b\n+run: c\n')
  expect(lines.map(({ kind }) => kind)).toEqual(['place', 'same', 'removed', 'added'])
  expect(lines[3]?.text).toBe('+run: c')
})
