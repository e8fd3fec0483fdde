import { expect, test } from 'vitest'
import { countKeptWork, dropKeptWork, workKey } from './kept-work.ts'

function memory(...names: string[]) {
  const kept = new Set(names)
  return { kept, keys: () => [...kept], removeItem: (key: string) => void kept.delete(key) }
}

test('the work of one person is counted and dropped, and that of others stays', () => {
  const storage = memory(workKey('ada', 'one'), workKey('ada', 'two'), workKey('bob', 'one'), 'signalbox-team')
  expect(countKeptWork('ada', storage)).toBe(2)
  dropKeptWork('ada', storage)
  expect([...storage.kept]).toEqual([workKey('bob', 'one'), 'signalbox-team'])
  expect(countKeptWork('ada', storage)).toBe(0)
})

test('the name of kept work does not hold the id of the user', () => {
  expect(workKey('01a1fc1f-ca69-7000-b9c9-fea95f691d0b', 'x')).toMatch(/^signalbox-draft:[0-9a-z]{8,13}:x$/)
})
