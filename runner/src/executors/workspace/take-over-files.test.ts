import assert from 'node:assert/strict'
import { chmodSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../testing/runner-under-test.ts'
import { Trees } from '../../trees/trees.ts'
import { stripRights } from './take-over-files.ts'

test('after a container neither its workspace nor its output file gives anybody rights', {
  skip: process.getuid?.() !== 0,
}, async () => {
  using root = temporaryFolder()
  await using trees = new Trees()
  const folder = join(root.path, '1')
  const directory = join(root.path, '2', 'workspace')
  const outputFile = join(folder, 'outputs')
  for (const each of [folder, directory]) mkdirSync(each, { recursive: true })
  const left = [outputFile, join(directory, 'tool')]
  for (const path of left) {
    writeFileSync(path, '')
    chmodSync(path, 0o4755)
  }
  const log = { info: () => {}, warn: () => assert.fail('all of it can be done') }
  const owner = { uid: 65_534, gid: 65_534 }
  const workspace = { folder, directory, outputFile, owner, contents: { foreign: true, reclaim: undefined } }
  await stripRights({ trees, log }, workspace)
  for (const path of left) assert.equal(lstatSync(path).mode & 0o7000, 0, path)
})
