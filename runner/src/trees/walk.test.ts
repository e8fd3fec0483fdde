import assert from 'node:assert/strict'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { temporaryFolder } from '../testing/runner-under-test.ts'
import { walk } from './walk.ts'

/** The names of the files that a walk meets; `meanwhile` is called with each folder that it goes into. */
const filesOf = (path: string, meanwhile: (name: string) => void = () => {}): string[] => {
  const files: string[] = []
  const steps = walk(path, {
    folder: (_, __, name) => meanwhile(String(name)),
    other: (_, { name }) => void files.push(String(name)),
  })
  for (const _ of steps);
  return files.toSorted()
}

describe('a walk', () => {
  const makeTree = (root: string): void => {
    for (const folder of ['one/a/x', 'one/b', 'two/c']) mkdirSync(join(root, folder), { recursive: true })
    for (const file of ['top', 'one/a/x/1', 'one/b/2', 'two/c/3']) writeFileSync(join(root, file), '')
  }

  test('meets every file once', () => {
    using folder = temporaryFolder()
    makeTree(folder.path)
    assert.deepEqual(filesOf(folder.path), ['1', '2', '3', 'top'])
  })

  test('goes on with the rest where a folder is moved away while it is in there', () => {
    using folder = temporaryFolder()
    using elsewhere = temporaryFolder()
    makeTree(folder.path)
    let moved = false
    const files = filesOf(folder.path, (name) => {
      if (name !== 'x' || moved) return
      moved = true
      renameSync(join(folder.path, 'one/a'), join(elsewhere.path, 'a'))
    })
    assert.ok(moved)
    for (const file of ['2', '3', 'top']) assert.ok(files.includes(file), file)
    assert.equal(new Set(files).size, files.length)
  })

  test('never leaves the folder that it was given, wherever one in it is moved to', () => {
    using outer = temporaryFolder()
    const inside = join(outer.path, 'inside')
    makeTree(inside)
    writeFileSync(join(outer.path, 'outside'), '')
    const files = filesOf(inside, (name) => {
      if (name === 'c') renameSync(join(inside, 'two/c'), join(outer.path, 'c'))
    })
    assert.ok(!files.includes('outside'))
    assert.ok(files.includes('2'))
  })
})
