import assert from 'node:assert/strict'
import { existsSync, readdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { temporaryFolder } from '../../testing/runner-under-test.ts'
import { Folders } from './folders.ts'

const ahead = 3

describe('folders', () => {
  test('that were made ahead go when the runner leaves, so that the next one has nothing to clean up', async () => {
    using folder = temporaryFolder()
    {
      using folders = new Folders(folder.path, undefined, ahead, () => 0)
      folders.stock()
      const taken = folders.take()
      assert.equal(readdirSync(folder.path).length, ahead)
      await folders.giveBack(taken)
    }
    assert.deepEqual(readdirSync(folder.path), [])
  })

  test('that somebody has put something into are left to the next start, and no link is followed', () => {
    using folder = temporaryFolder()
    using elsewhere = temporaryFolder()
    const kept = join(elsewhere.path, 'outputs')
    writeFileSync(kept, 'mine')
    {
      using folders = new Folders(folder.path, undefined, ahead, () => 0)
      folders.stock()
      writeFileSync(join(folder.path, '1', 'workspace', 'file'), '')
      const outputs = join(folder.path, '2', 'outputs')
      unlinkSync(outputs)
      symlinkSync(kept, outputs)
    }
    assert.deepEqual(readdirSync(folder.path), ['1'])
    assert.ok(existsSync(kept))
  })
})
