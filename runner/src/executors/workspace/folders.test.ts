import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { temporaryFolder } from '../../testing/runner-under-test.ts'
import { Trees } from '../../trees/trees.ts'
import { Folders } from './folders.ts'

const ahead = 3
const setAside = () => assert.fail('nothing is set aside here')

describe('folders', () => {
  const open = (root: string, trees: Trees) =>
    new Folders({ root, ahead, kept: ahead, monotonic: () => 0, trees, setAside })

  test('that were made ahead go when the runner leaves, so that the next one has nothing to clean up', async () => {
    using folder = temporaryFolder()
    await using trees = new Trees()
    {
      using folders = open(folder.path, trees)
      folders.stock()
      const taken = folders.take(undefined)
      assert.equal(readdirSync(folder.path).length, ahead)
      await folders.giveBack(taken)
    }
    assert.deepEqual(readdirSync(folder.path), [])
  })

  test('that somebody has put something into are left to the next start, and no link is followed', async () => {
    using folder = temporaryFolder()
    await using trees = new Trees()
    using elsewhere = temporaryFolder()
    const kept = join(elsewhere.path, 'outputs')
    writeFileSync(kept, 'mine')
    {
      using folders = open(folder.path, trees)
      folders.stock()
      writeFileSync(join(folder.path, '1', 'workspace', 'file'), '')
      const outputs = join(folder.path, '2', 'outputs')
      unlinkSync(outputs)
      symlinkSync(kept, outputs)
    }
    assert.deepEqual(readdirSync(folder.path), ['1'])
    assert.ok(existsSync(kept))
  })

  test('that another task of the account changed after they came back serve nobody', async () => {
    using folder = temporaryFolder()
    await using trees = new Trees()
    let now = 0
    using folders = new Folders({ root: folder.path, ahead, kept: ahead, monotonic: () => now, trees, setAside })
    const before = folders.take(undefined)
    now = 1000
    await folders.giveBack(before)
    writeFileSync(join(before.directory, 'planted'), '')
    const taken = [folders.take(undefined), folders.take(undefined)]
    for (const each of taken) assert.deepEqual(readdirSync(each.directory), [])
  })

  test('that are made ahead are open to no account until it takes one', {
    skip: process.getuid?.() !== 0,
  }, async () => {
    using folder = temporaryFolder()
    await using trees = new Trees()
    using folders = open(folder.path, trees)
    const taken = folders.take({ uid: 59_998, gid: 59_998 })
    writeFileSync(join(taken.directory, 'used'), '')
    await folders.giveBack(taken)
    const owners = readdirSync(folder.path).map((name) => statSync(join(folder.path, name)).uid)
    assert.deepEqual(owners, [0])
  })

  test('that are made for an account before it needs one serve it again, however short its task was', async () => {
    using folder = temporaryFolder()
    await using trees = new Trees()
    let now = 0
    using folders = new Folders({ root: folder.path, ahead, kept: ahead, monotonic: () => now, trees, setAside })
    const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
    folders.stockFor(self)
    folders.stockFor(self)
    assert.equal(readdirSync(folder.path).length, 1)
    now = 1000
    const taken = folders.take(self)
    await folders.giveBack(taken)
    assert.equal(folders.take(self).folder, taken.folder)
  })
})
