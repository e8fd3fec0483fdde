import { expect, test } from 'vitest'
import { draftKey, dropDraft, keepDraft, readDraft } from './drafts.ts'

function memory() {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

const DRAFT = { text: 'name: web\n', version: 3, etag: '"3"', at: '2026-01-01T00:00:00.000Z' }

test('work is found again by the same person at the same pipeline, until it is dropped', () => {
  const storage = memory()
  keepDraft(storage, draftKey('ada', 'one'), DRAFT)
  expect(readDraft(storage, draftKey('ada', 'one'))).toEqual(DRAFT)
  expect(readDraft(storage, draftKey('ada', 'two'))).toBeUndefined()
  expect(readDraft(storage, draftKey('bob', 'one'))).toBeUndefined()
  dropDraft(storage, draftKey('ada', 'one'))
  expect(readDraft(storage, draftKey('ada', 'one'))).toBeUndefined()
})

test.each(['{', '5', '{"text":1,"at":"x"}', '[]', ''])('what is no draft is none: %j', (kept) => {
  const storage = memory()
  storage.setItem('key', kept)
  expect(readDraft(storage, 'key')).toBeUndefined()
})

test('a browser that stores nothing hinders nobody', () => {
  const refuse = (): never => {
    throw new DOMException('denied', 'SecurityError')
  }
  const storage = { getItem: refuse, setItem: refuse, removeItem: refuse }
  expect(() => keepDraft(storage, 'key', DRAFT)).not.toThrow()
  expect(() => dropDraft(storage, 'key')).not.toThrow()
  expect(readDraft(storage, 'key')).toBeUndefined()
})
