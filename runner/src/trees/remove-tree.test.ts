import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { temporaryFolder } from '../testing/runner-under-test.ts'
import { removeTree } from './remove-tree.ts'
import { makeDeepTree, quickFolder } from './testing.ts'
import { Trees } from './trees.ts'

const owner = { uid: 65534, gid: 65534 }
const isRoot = process.getuid?.() === 0
const trees = new Trees()
after(() => trees[Symbol.asyncDispose]())

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

/** A program of a process that a task left behind. */
const meanwhile = async (program: string, ...things: readonly string[]): Promise<AsyncDisposable> => {
  const whole = `
    const { renameSync, symlinkSync, unlinkSync, writeFileSync } = require('node:fs')
    const things = process.argv.slice(1)
    const attempt = (work) => { try { work() } catch {} }
    ${isRoot ? `process.setgroups([]); process.setgid(${owner.gid}); process.setuid(${owner.uid})` : ''}
    process.stdout.write('ready')
    for (let count = 0; ; count++) { ${program} }`
  // The child becomes the owner by itself, because the owner may not be able to enter the folder of this Node.
  const child = spawn(process.execPath, ['-e', whole, ...things], { cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] })
  await once(child.stdout, 'data')
  return {
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Puts a link where `d` is and takes it away again, as fast as it can. */
const swap = `
  attempt(() => renameSync(things[0] + '/d', things[0] + '/e'))
  attempt(() => symlinkSync(things[1], things[0] + '/d'))
  attempt(() => unlinkSync(things[0] + '/d'))
  attempt(() => renameSync(things[0] + '/e', things[0] + '/d'))`

describe('removing what a task leaves', () => {
  test('takes closed folders, links, and names that are not UTF-8, and not what links point to', async () => {
    using outer = temporaryFolder()
    chmodSync(outer.path, 0o711)
    const folder = join(outer.path, '1')
    makeTree(folder, 3)
    const kept = join(outer.path, 'kept')
    mkdirSync(kept, { mode: 0o777 })
    writeFileSync(join(kept, 'file'), '')
    symlinkSync(kept, join(folder, 'd', 'link'))
    const latin = Buffer.from(`${folder}/caf\xe9`, 'latin1')
    mkdirSync(latin)
    writeFileSync(Buffer.concat([latin, Buffer.from('/\xff', 'latin1')]), '')
    chmodSync(join(folder, 'd'), 0)
    chmodSync(folder, 0o500)
    await trees.remove(folder)
    assert.ok(!existsSync(folder))
    assert.deepEqual(readdirSync(kept), ['file'])
  })

  test('takes what belongs to others, as containers leave it', { skip: !isRoot }, async () => {
    using outer = temporaryFolder()
    const folder = join(outer.path, '1')
    mkdirSync(join(folder, 'roots', 'inner'), { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, 'roots', 'inner', 'file'), '')
    lchownSync(folder, owner.uid, owner.gid)
    await trees.remove(folder)
    assert.ok(!existsSync(folder))
  })

  test("does not follow a link that is put in a folder's place meanwhile", async () => {
    using outer = temporaryFolder()
    chmodSync(outer.path, 0o711)
    const victim = join(outer.path, 'victim')
    mkdirSync(victim, { mode: 0o755 })
    for (let count = 0; count < 40; count++) writeFileSync(join(victim, String(count)), '')
    const folder = join(outer.path, '1')
    await using _swapper = await meanwhile(swap, folder, victim)
    for (let round = 0; round < 60; round++) {
      // The swapper's own files may stay, or be in the way; only the victim counts.
      await trees.remove(folder).catch(() => undefined)
      attempt(() => makeTree(folder, 40))
      assert.equal(readdirSync(victim).length, 40, `files lost in round ${round}`)
    }
  })

  test('ends with 30,000 folders within one another, with few open at a time', async () => {
    const outer = mkdtempSync(join(quickFolder, 'signalbox-deep-'))
    const folder = join(outer, 'deep')
    makeDeepTree(folder, 30_000)
    const open = () => (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0)
    const before = open()
    let most = 0
    let steps = 0
    for (const _ of removeTree(folder)) if (steps++ % 1000 === 0) most = Math.max(most, open())
    assert.ok(most - before < 10, `${most - before} more were open`)
    rmdirSync(outer)
  })

  test('takes turns: what is small does not wait for what is large', async () => {
    using outer = temporaryFolder()
    const [large, small] = [join(outer.path, 'large'), join(outer.path, 'small')]
    makeTree(large, 4000)
    makeTree(small, 1)
    const ended: string[] = []
    await Promise.all([large, small].map((path) => trees.remove(path).then(() => ended.push(path))))
    assert.deepEqual(ended, [small, large])
  })

  test('ends while somebody goes on writing there, and says so', async () => {
    using outer = temporaryFolder()
    chmodSync(outer.path, 0o711)
    const folder = join(outer.path, '1')
    makeTree(folder, 0)
    await using impatient = new Trees({ withinMs: 300 })
    {
      await using _writer = await meanwhile("attempt(() => writeFileSync(things[0] + '/' + count, ''))", folder)
      await using _other = await meanwhile(
        "attempt(() => writeFileSync(things[0] + '/' + count, ''))",
        join(folder, 'd'),
      )
      const removed = await impatient.remove(folder).then(
        () => 'removed',
        (error: Error) => error.message,
      )
      assert.match(removed, /^(removed|it took too long|ENOTEMPTY.*)$/)
    }
    await trees.remove(folder)
    assert.ok(!existsSync(folder))
  })

  test('is broken off when the runner leaves, and the next start goes on with it', async () => {
    using outer = temporaryFolder()
    const folder = join(outer.path, '1')
    makeTree(folder, 4000)
    const leaving = new Trees()
    const removed = leaving.remove(folder)
    const told = assert.rejects(removed, { name: 'TreeError', message: 'the runner leaves' })
    await leaving[Symbol.asyncDispose]()
    await told
    await assert.rejects(leaving.remove(folder), /the runner leaves/)
    await trees.remove(folder)
    assert.ok(!existsSync(folder))
  })

  test('says why where something resists, and takes everything else', { skip: !isRoot }, async (context) => {
    using outer = temporaryFolder()
    const folder = join(outer.path, '1')
    makeTree(folder, 3)
    const busy = join(folder, 'busy')
    mkdirSync(busy)
    if (spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', busy]).status !== 0) return context.skip('nothing can be mounted')
    try {
      await assert.rejects(trees.remove(folder), { name: 'TreeError', code: 'EBUSY' })
      assert.deepEqual(readdirSync(folder), ['busy'])
    } finally {
      spawnSync('umount', [busy])
    }
    await trees.remove(folder)
    assert.ok(!existsSync(folder))
  })
})
