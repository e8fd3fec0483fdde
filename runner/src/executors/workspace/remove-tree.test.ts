import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, lchownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { temporaryFolder } from '../../testing/runner-under-test.ts'
import { removeTree } from './remove-tree.ts'

const owner = { uid: 65534, gid: 65534 }
const isRoot = process.getuid?.() === 0

/** A folder as a task leaves it, with files of its own in `d`. */
const makeTree = (folder: string, files: number): void => {
  const inner = join(folder, 'd')
  mkdirSync(inner, { recursive: true })
  for (let count = 0; count < files; count++) writeFileSync(join(inner, String(count)), '')
  for (const path of [folder, inner]) if (isRoot) lchownSync(path, owner.uid, owner.gid)
}

const attempt = (work: () => void): void => {
  try {
    work()
  } catch {
    // The other one is quicker.
  }
}

/** Puts a link where `d` is and takes it away again, as fast as it can. */
const SWAP = `
const { renameSync, symlinkSync, unlinkSync } = require('node:fs')
const [folder, target] = process.argv.slice(1)
const attempt = (work) => { try { work() } catch {} }
process.stdout.write('ready')
for (;;) {
  attempt(() => renameSync(folder + '/d', folder + '/e'))
  attempt(() => symlinkSync(target, folder + '/d'))
  attempt(() => unlinkSync(folder + '/d'))
  attempt(() => renameSync(folder + '/e', folder + '/d'))
}`

describe('removing what a task leaves', () => {
  test('takes closed folders and links, and not what links point to', { skip: !isRoot }, async () => {
    using outer = temporaryFolder()
    chmodSync(outer.path, 0o711)
    const folder = join(outer.path, '1')
    makeTree(folder, 3)
    const kept = join(outer.path, 'kept')
    mkdirSync(kept, { mode: 0o777 })
    writeFileSync(join(kept, 'file'), '')
    symlinkSync(kept, join(folder, 'd', 'link'))
    chmodSync(join(folder, 'd'), 0)
    await removeTree(folder, owner)
    assert.ok(!existsSync(folder))
    assert.deepEqual(readdirSync(kept), ['file'])
  })

  test("does not follow a link that is put in a folder's place meanwhile", { skip: !isRoot }, async () => {
    using outer = temporaryFolder()
    chmodSync(outer.path, 0o711)
    const victim = join(outer.path, 'victim')
    mkdirSync(victim, { mode: 0o755 })
    for (let count = 0; count < 40; count++) writeFileSync(join(victim, String(count)), '')
    const folder = join(outer.path, '1')
    const swapper = spawn(process.execPath, ['-e', SWAP, folder, victim], {
      ...owner,
      cwd: '/',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    try {
      await new Promise((resolve) => swapper.stdout.once('data', resolve))
      for (let round = 0; round < 60; round++) {
        // What the swapper moves about meanwhile may stay, or be in the way; what counts is the victim.
        await removeTree(folder, owner).catch(() => undefined)
        attempt(() => makeTree(folder, 40))
        assert.equal(readdirSync(victim).length, 40, `files lost in round ${round}`)
      }
    } finally {
      const ended = new Promise((resolve) => swapper.once('exit', resolve))
      swapper.kill('SIGKILL')
      await ended
    }
  })

  test('of a runner that is not root takes everything as well', async () => {
    using outer = temporaryFolder()
    const folder = join(outer.path, '1')
    makeTree(folder, 3)
    await removeTree(folder, undefined)
    assert.ok(!existsSync(folder))
  })
})
