import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { temporaryFolder } from '../../testing/runner-under-test.ts'
import { Trees } from '../../trees/trees.ts'
import { TreesThat } from './testing.ts'
import { Trash } from './trash.ts'

describe('what is set aside', () => {
  test('is out of the way at once, goes when the trash is emptied, and the trash with it', async () => {
    using root = temporaryFolder()
    await using trees = new Trees()
    using trash = new Trash({ folder: join(root.path, 'trash'), trees, stuck: () => assert.fail('nothing is stuck') })
    const path = join(root.path, '1')
    mkdirSync(path)
    writeFileSync(join(path, 'file'), '')
    trash.setAside(path)
    assert.ok(!existsSync(path))
    assert.equal(readdirSync(join(root.path, 'trash')).length, 1)
    await trash.empty()
    assert.deepEqual(readdirSync(root.path), [])
  })

  test('is told once where it cannot be removed, is tried again, and holds nothing else up', async () => {
    using root = temporaryFolder()
    const told: string[] = []
    let resists = true
    const removed: string[] = []
    const trees = new TreesThat(async (path) => {
      if (resists && existsSync(join(path, 'stubborn'))) throw new Error('it resists')
      removed.push(path)
    })
    const stuck = (_: string, reason: unknown) => void told.push(String(reason))
    using trash = new Trash({ folder: join(root.path, 'trash'), trees, stuck })
    for (const name of ['stubborn', 'meek']) {
      mkdirSync(join(root.path, name, name), { recursive: true })
      trash.setAside(join(root.path, name))
    }
    await trash.empty()
    await trash.empty()
    assert.deepEqual(told, ['it resists'])
    assert.ok(removed.length >= 1)
    resists = false
    await trash.empty()
    assert.deepEqual(told, ['it resists'])
  })
})
