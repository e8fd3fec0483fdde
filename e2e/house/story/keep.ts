import assert from 'node:assert/strict'
import type { Words } from './words.ts'

/** Sets words to the texts that stand at paths such as `run_ids.0`. */
export function keepWords(words: Words, from: unknown, kept: Readonly<Record<string, string>> = {}): void {
  for (const [name, path] of Object.entries(kept)) {
    const value = valueAt(from, path)
    assert.ok(typeof value === 'string', `no text at ${path} of ${JSON.stringify(from)}`)
    words.set(name, value)
  }
}

function valueAt(from: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, key) => {
    if (typeof found !== 'object' || found === null) return undefined
    return new Map<string, unknown>(Object.entries(found)).get(key)
  }, from)
}
