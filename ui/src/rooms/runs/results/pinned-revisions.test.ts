import { expect, test } from 'vitest'
import { pinnedRevisions } from './pinned-revisions.ts'

const pin = (revision_id: string, step: string | null, task: string | null) => ({
  revision_id,
  item: `acme/${revision_id}`,
  kind: 'policy',
  revision: 2,
  step,
  task,
})

test('each revision stands once, with what it held for', () => {
  const pins = [pin('a', null, null), pin('b', null, null), pin('a', 'build', null), pin('a', 'build', 'compile')]
  expect(pinnedRevisions(pins).map(({ id, places }) => [id, places])).toEqual([
    ['a', ['the run', 'step build', 'build/compile']],
    ['b', ['the run']],
  ])
})

test('many places are counted', () => {
  const pins = Array.from({ length: 500 }, (_, at) => pin('a', 'test', `unit-${at}`))
  expect(pinnedRevisions(pins)[0]?.places).toHaveLength(9)
  expect(pinnedRevisions(pins)[0]?.places.at(-1)).toBe('492 more')
})
