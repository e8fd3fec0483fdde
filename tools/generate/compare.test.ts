import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { findStale } from './compare.ts'
import type { Generator } from './generator.ts'
import { writeOutput } from './write.ts'

describe('comparing what was made with what is committed', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signalbox-compare-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  async function compare(made: Record<string, string>, committed: Record<string, string>) {
    const root = await mkdtemp(join(folder, 'root-'))
    const into = await mkdtemp(join(folder, 'into-'))
    for (const [path, text] of Object.entries(made)) await writeOutput(into, path, text)
    for (const [path, text] of Object.entries(committed)) await writeOutput(root, path, text)
    const generator: Generator = { name: 'example', outputs: ['docs/a.md'], run: async () => undefined }
    return findStale(generator, into, root)
  }

  test('the same text is fresh, whatever else the repository holds', async () => {
    assert.deepEqual(await compare({ 'docs/a.md': 'one' }, { 'docs/a.md': 'one', 'docs/b.md': 'two' }), [])
  })

  test('another text, a missing file and an undeclared file are stale', async () => {
    assert.deepEqual(await compare({ 'docs/a.md': 'one' }, { 'docs/a.md': 'two' }), [
      { path: 'docs/a.md', reason: 'differs' },
    ])
    assert.deepEqual(await compare({ 'docs/a.md': 'one' }, {}), [{ path: 'docs/a.md', reason: 'missing' }])
    assert.deepEqual(await compare({ 'docs/a.md': 'one', 'docs/c.md': 'x' }, { 'docs/a.md': 'one' }), [
      { path: 'docs/c.md', reason: 'not declared in outputs' },
    ])
  })
})
