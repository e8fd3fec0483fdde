import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type AttemptFinished, Result } from '@signalbox/contracts/runner'
import { createRepository } from './testing/repositories.ts'
import { startRunner, temporaryFolder } from './testing/runner-under-test.ts'
import { Archives } from './transfer/archives.ts'
import { Trees } from './trees/trees.ts'

/** A file system of its own, with so much room. */
const mountSmall = (path: string, options: string): Disposable => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path])
  return { [Symbol.dispose]: () => execFileSync('umount', ['--lazy', path]) }
}

/** Writes until there is no room; returns what was written, to be removed. */
const fill = (folder: string, content: Buffer): string[] => {
  const files: string[] = []
  for (;;) {
    const file = join(folder, `filler-${files.length}`)
    try {
      writeFileSync(file, content)
    } catch {
      rmSync(file, { force: true })
      return files
    } finally {
      files.push(file)
    }
  }
}

const empty = (files: readonly string[]): void => {
  for (const file of files) rmSync(file, { force: true })
}

const whyNot = (): string | false => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can mount a small disk'
  using folder = temporaryFolder()
  try {
    mountSmall(folder.path, 'size=64k')[Symbol.dispose]()
    return false
  } catch {
    return 'nothing can be mounted here'
  }
}

describe('a runner whose disk is full', { skip: whyNot() }, () => {
  test('fails a task for which no workspace can be made, names the place, and goes on once there is room', async () => {
    using folder = temporaryFolder()
    chmodSync(folder.path, 0o755)
    using _disk = mountSmall(folder.path, 'size=1m,nr_inodes=60,mode=755')
    await using runner = await startRunner({ workDir: join(folder.path, 'work'), capacity: 1 })
    const { gateway } = runner
    gateway.assign({ fence: 1n, script: 'true' })
    await gateway.finished(1n)
    const files = fill(folder.path, Buffer.alloc(0))
    // Some folders are made ahead, how many depends on when the disk was full. Each of these tasks keeps one, so that one
    // of them needs another one.
    const ended: AttemptFinished[] = []
    for (let fence = 10n; fence < 20n && ended.at(-1)?.result !== Result.FAILURE; fence += 1n) {
      gateway.assign({ fence, runId: `run ${fence}`, sharedWorkspace: {}, script: 'true' })
      ended.push(await gateway.finished(fence))
    }
    assert.equal(ended.at(-1)?.result, Result.FAILURE)
    assert.match(
      ended.at(-1)?.reason ?? '',
      /^The workspace could not be made: The disk of this runner that holds \/.+\/attempts is full; other tasks and programs may have filled it\. Free space there, then run the task again\.$/,
    )
    empty(files)
    gateway.assign({ fence: 2n, script: 'echo again' })
    assert.equal((await gateway.finished(2n)).reason, '')
  })

  test('fails a task whose checkout has no room, names the place, and checks out once there is some', async () => {
    using outer = temporaryFolder()
    chmodSync(outer.path, 0o755)
    const repository = createRepository(outer.path)
    using folder = temporaryFolder()
    chmodSync(folder.path, 0o755)
    using _disk = mountSmall(folder.path, 'size=2m,mode=755')
    await using runner = await startRunner({ workDir: join(folder.path, 'work'), localRepositories: [outer.path] })
    const { gateway } = runner
    const checkout = { cloneUrl: repository.path, ref: 'refs/heads/main', commitSha: repository.commits.at(-1) ?? '' }
    const files = fill(folder.path, randomBytes(4096))
    gateway.assign({ fence: 1n, script: 'cat number', checkout })
    const { result, reason } = await gateway.finished(1n)
    assert.equal(result, Result.FAILURE)
    assert.match(
      reason,
      /The disk of this runner that holds \/.+\/attempts\/\d+\/workspace is full; other tasks and programs may have/,
    )
    empty(files)
    gateway.assign({ fence: 2n, script: 'cat number', checkout })
    assert.equal((await gateway.finished(2n)).reason, '')
    assert.deepEqual(gateway.texts(2n, 'stdout'), ['3'])
  })

  test('lets the next task wait until what the last one left is removed', async () => {
    using folder = temporaryFolder()
    chmodSync(folder.path, 0o755)
    using _disk = mountSmall(folder.path, 'size=16m,nr_inodes=20000,mode=755')
    await using runner = await startRunner({ workDir: join(folder.path, 'work'), capacity: 1 })
    const { gateway } = runner
    gateway.assign({ fence: 1n, script: 'seq 100000 | xargs touch' })
    assert.equal((await gateway.finished(1n)).result, Result.FAILURE)
    gateway.assign({ fence: 2n, script: 'touch new' })
    assert.equal((await gateway.finished(2n)).reason, '')
    assert.deepEqual(
      gateway.texts(2n).filter((text) => text.includes('nearly full')),
      ['The disk of this runner is nearly full: the task waits until the files of tasks that have ended are removed.'],
    )
  })

  test('fails an artifact that finds no room, on the way out and on the way in, with the place that is full', async () => {
    using outer = temporaryFolder()
    using folder = temporaryFolder()
    for (const { path } of [outer, folder]) chmodSync(path, 0o755)
    using _disk = mountSmall(folder.path, 'size=1m,mode=755')
    await using trees = new Trees()
    const options = { owner: undefined, limitBytes: 1024 ** 3, trees }
    const roomy = new Archives({ ...options, folder: outer.path, workspaces: outer.path })
    const small = new Archives({ ...options, folder: folder.path, workspaces: folder.path })
    const signal = new AbortController().signal
    const directory = join(outer.path, 'workspace')
    mkdirSync(directory)
    writeFileSync(join(directory, 'file'), randomBytes(3_000_000))
    const full = new RegExp(`^ArchiveError: The disk of this runner that holds ${folder.path} is full; other tasks and`)
    await assert.rejects(small.pack(directory, ['file'], signal), full)
    const archive = await roomy.pack(directory, ['file'], signal)
    await assert.rejects(small.unpack(folder.path, archive?.file ?? '', signal), full)
    assert.deepEqual(readdirSync(folder.path), [])
    fill(folder.path, randomBytes(4096))
    await assert.rejects(small.unpack(folder.path, archive?.file ?? '', signal), full)
  })

  test('lets a task wait whose lines nobody takes, and loses none of them', async () => {
    using folder = temporaryFolder()
    chmodSync(folder.path, 0o755)
    using _disk = mountSmall(folder.path, 'size=2m,mode=755')
    await using runner = await startRunner({ workDir: join(folder.path, 'work') })
    const { gateway } = runner
    fill(folder.path, randomBytes(4096))
    gateway.acknowledges = false
    const lines = 60_000
    gateway.assign({ fence: 1n, script: `head -c ${lines * 57} /dev/urandom | base64 -w 76; echo "end"` })
    await gateway.until(() => gateway.texts(1n).length > 0, 'the task runs')
    gateway.kill()
    gateway.acknowledges = true
    await gateway.start()
    assert.equal((await gateway.finished(1n)).reason, '')
    const texts = gateway.texts(1n)
    assert.deepEqual([texts.length, texts.at(-1)], [lines + 1, 'end'])
    assert.deepEqual(gateway.violations, [])
  })
})
