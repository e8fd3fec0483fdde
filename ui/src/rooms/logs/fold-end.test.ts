import { expect, test } from 'vitest'
import { foldEndOf } from './fold-end.ts'

const ends = (start: string, line: string) => new RegExp(foldEndOf(start)).test(line)

test('a section ends at the end of its own name alone', () => {
  const outer = '\u001b[0Ksection_start:1560896352:outer[collapsed=true]\r\u001b[0KThe outer one'
  expect(ends(outer, '\u001b[0Ksection_end:1560896353:inner\r\u001b[0K')).toBe(false)
  expect(ends(outer, '\u001b[0Ksection_end:1560896353:outer_more\r\u001b[0K')).toBe(false)
  expect(ends(outer, '\u001b[0Ksection_end:1560896353:outer\r\u001b[0K')).toBe(true)
  expect(ends(outer, '::endgroup::')).toBe(false)
  expect(ends('section_start:1:a.b', 'section_end:2:axb')).toBe(false)
  expect(ends('section_start:1:a.b', 'section_end:2:a.b')).toBe(true)
})

test('a group ends at the next end of a group', () => {
  expect(ends('::group::Install', '::endgroup::')).toBe(true)
  expect(ends('##[group]Install', '##[endgroup]')).toBe(true)
  expect(ends('::group::Install', 'section_end:1:outer')).toBe(false)
})
