import { expect, test } from 'vitest'
import { followedSources } from './followed-sources.ts'

const ids = Array.from({ length: 43 }, (_, at) => `source-${at}`)

test('all sources are followed, up to 40 of them; how many are not is said', () => {
  expect(followedSources(ids.slice(0, 40), undefined)).toEqual({ ids: ids.slice(0, 40), others: 0 })
  expect(followedSources(ids, undefined)).toEqual({ ids: ids.slice(0, 40), others: 3 })
  expect(followedSources([], undefined)).toEqual({ ids: [], others: 0 })
})

test('a source that was chosen is followed, wherever it stands', () => {
  expect(followedSources(ids, 'source-42')).toEqual({ ids: ['source-42'], others: 0 })
})
