import assert from 'node:assert/strict'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { chmod, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { Header } from 'tar'
import { Archives } from './archives.ts'
import { matchFiles } from './match-files.ts'

const root = mkdtempSync(join(tmpdir(), 'signalbox-archives-'))
after(() => rm(root, { recursive: true, force: true }))
await chmod(root, 0o755)
const own = join(root, 'own')
mkdirSync(own, { mode: 0o700 })
const never = new AbortController().signal
const asRoot = process.getuid?.() === 0
const owner = asRoot ? { uid: 65_534, gid: 65_534 } : undefined
const archives = new Archives(own, owner)
let count = 0

/** A workspace with these files, by path and content. */
const aWorkspace = (files: Readonly<Record<string, string>>): string => {
  const folder = join(root, `work-${++count}`)
  const made = new Set([folder])
  mkdirSync(folder)
  for (const [path, content] of Object.entries(files)) {
    const parts = path.split('/').slice(0, -1)
    for (const at of parts.keys()) {
      const below = join(folder, ...parts.slice(0, at + 1))
      mkdirSync(below, { recursive: true })
      made.add(below)
    }
    writeFileSync(join(folder, path), content)
    made.add(join(folder, path))
  }
  if (owner) for (const path of made) chownSync(path, owner.uid, owner.gid)
  return folder
}

const pack = async (folder: string, ...paths: string[]) => {
  const archive = await archives.pack(folder, paths, never)
  assert.ok(archive)
  return archive
}

describe('the files that patterns take in', () => {
  const folder = aWorkspace({
    'a.txt': '',
    'dist/a.js': '',
    'dist/deep/b.js': '',
    'dist/b.map': '',
    '.env': '',
    'x/y': '',
  })
  const files = async (...patterns: string[]) => (await matchFiles(folder, patterns)).files

  test('are those that fit, everything below a folder that is named, and what is not taken out again', async () => {
    assert.deepEqual(await files('dist'), ['dist/a.js', 'dist/b.map', 'dist/deep/b.js'])
    assert.deepEqual(await files('./dist/'), ['dist/a.js', 'dist/b.map', 'dist/deep/b.js'])
    assert.deepEqual(await files('dist/**', '!**/*.map'), ['dist/a.js', 'dist/deep/b.js'])
    assert.deepEqual(await files('dist/*.js'), ['dist/a.js'])
    assert.deepEqual(await files('*.txt', 'x'), ['a.txt', 'x/y'])
    assert.equal((await files('.')).length, 6)
    assert.deepEqual(await files('nothing/here'), [])
  })

  test('are within the folder, whatever the patterns', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('..', '*', '**', 'a', '/', './', 'dist', '!x')), async (parts) => {
        const found = await matchFiles(folder, [parts.join('')]).catch(() => undefined)
        for (const file of found?.files ?? []) assert.ok(!file.startsWith('/') && !file.split('/').includes('..'), file)
      }),
      { numRuns: 50 },
    )
  })
})

describe('an archive', () => {
  test('holds files, their modes and links, and gives them back', async () => {
    const from = aWorkspace({ 'dist/run.sh': '#!/bin/sh\n', 'dist/deep/data': 'x'.repeat(100_000), other: 'no' })
    await chmod(join(from, 'dist/run.sh'), 0o755)
    symlinkSync('run.sh', join(from, 'dist/link'))
    const archive = await pack(from, 'dist')
    assert.equal(archive.files, 3)
    assert.ok(archive.size < 5000, 'compressed')
    const to = aWorkspace({})
    await archives.unpack(to, archive.file, never)
    assert.deepEqual((await readdir(to, { recursive: true })).toSorted(), [
      'dist',
      'dist/deep',
      'dist/deep/data',
      'dist/link',
      'dist/run.sh',
    ])
    assert.equal((await stat(join(to, 'dist/run.sh'))).mode & 0o777, 0o755)
    assert.equal(readlinkSync(join(to, 'dist/link')), 'run.sh')
    assert.equal(readFileSync(join(to, 'dist/deep/data'), 'utf8').length, 100_000)
    if (owner) assert.equal((await stat(join(to, 'dist/run.sh'))).uid, owner.uid)
  })

  test('of the same files is the same, whenever they were written', async () => {
    const files = { 'a/b': 'one', 'a/c': 'two' }
    assert.equal((await pack(aWorkspace(files), 'a')).sha256, (await pack(aWorkspace(files), 'a')).sha256)
  })

  test('of no file is none, and leaves nothing behind', async () => {
    const before = await readdir(own)
    assert.equal(await archives.pack(aWorkspace({ a: '' }), ['b'], never), undefined)
    assert.deepEqual(await readdir(own), before)
  })

  test('has names that begin with a dash or an at sign', async () => {
    const archive = await pack(aWorkspace({ '-rf': 'a', '@b': 'b' }), '**')
    const to = aWorkspace({})
    await archives.unpack(to, archive.file, never)
    assert.deepEqual((await readdir(to)).toSorted(), ['-rf', '@b'])
  })

  test('is not written behind a link that a task left where its folder should lie', async () => {
    const archive = await pack(aWorkspace({ 'dist/deep/a.js': 'new', 'dist/b.js': 'new' }), 'dist')
    for (const link of ['dist', 'dist/deep']) {
      const outside = aWorkspace({ 'b.js': 'old' })
      const to = aWorkspace(link === 'dist' ? {} : { 'dist/c.js': '' })
      symlinkSync(outside, join(to, link))
      await assert.rejects(archives.unpack(to, archive.file, never), /dist.* leads out of the workspace/)
      assert.deepEqual(await readdir(outside), ['b.js'])
      assert.equal(readFileSync(join(outside, 'b.js'), 'utf8'), 'old')
    }
  })

  test('made by somebody else leads nowhere out by its own links', async () => {
    const outside = aWorkspace({ old: 'old' })
    const entries = [
      new Header({ path: './link', type: 'SymbolicLink', linkpath: outside, mode: 0o777, size: 0 }),
      new Header({ path: './link/new', type: 'File', mode: 0o644, size: 0 }),
      new Header({ path: './hard', type: 'Link', linkpath: join(outside, 'old'), mode: 0o644, size: 0 }),
      new Header({ path: '../up', type: 'File', mode: 0o644, size: 0 }),
      new Header({ path: './in', type: 'File', mode: 0o644, size: 0 }),
    ]
    const file = join(own, 'crafted')
    const blocks = entries.map((header) => {
      header.encode()
      return header.block ?? Buffer.alloc(512)
    })
    writeFileSync(file, zstdCompressSync(Buffer.concat([...blocks, Buffer.alloc(1024)])))
    const to = aWorkspace({})
    await assert.rejects(archives.unpack(to, file, never), /link\/new in the archive leads out of the workspace/)
    assert.deepEqual(await readdir(outside), ['old'])
    assert.deepEqual((await readdir(to)).toSorted(), ['in', 'link'])
    assert.equal(existsSync(join(to, '../up')), false)
  })

  test('goes where a link within the workspace leads', async () => {
    const archive = await pack(aWorkspace({ 'dist/a.js': 'new' }), 'dist')
    const to = aWorkspace({ 'build/b.js': '' })
    symlinkSync('build', join(to, 'dist'))
    await archives.unpack(to, archive.file, never)
    assert.deepEqual((await readdir(join(to, 'build'))).toSorted(), ['a.js', 'b.js'])
  })

  test('that is broken is refused with a reason', async () => {
    const file = join(own, 'broken')
    writeFileSync(file, 'this is no archive')
    await assert.rejects(archives.unpack(aWorkspace({}), file, never), /./)
  })

  test('is stopped with its attempt', async () => {
    const stop = new AbortController()
    stop.abort()
    await assert.rejects(archives.pack(aWorkspace({ a: '' }), ['a'], stop.signal))
  })
})

describe('the user who runs tasks', { skip: asRoot ? false : 'only root can act as another user' }, () => {
  test('gets no file into an archive that they could not read', async () => {
    const secret = join(root, 'secret')
    writeFileSync(secret, 'of root', { mode: 0o600 })
    const folder = aWorkspace({ mine: 'x' })
    writeFileSync(join(folder, 'roots'), 'of root', { mode: 0o600 })
    symlinkSync(secret, join(folder, 'link'))
    const archive = await pack(folder, 'mine', 'link')
    const to = aWorkspace({})
    await archives.unpack(to, archive.file, never)
    assert.equal(readlinkSync(join(to, 'link')), secret, 'a link is kept as a link')
    await assert.rejects(archives.pack(folder, ['roots'], never), /EACCES|permission denied/i)
  })

  test('writes nowhere through a link that lies in the workspace', async () => {
    const outside = join(root, 'outside')
    mkdirSync(outside, { mode: 0o700 })
    const archive = await pack(aWorkspace({ 'out/file': 'x' }), 'out')
    const to = aWorkspace({})
    symlinkSync(outside, join(to, 'out'))
    await archives.unpack(to, archive.file, never).catch(() => undefined)
    assert.equal(existsSync(join(outside, 'file')), false)
  })
})

describe('a digest of files', () => {
  test('changes with their names and contents, and with nothing else', async () => {
    const digest = (files: Readonly<Record<string, string>>) => archives.digest(aWorkspace(files), ['*.lock'], never)
    const one = await digest({ 'a.lock': '1', other: 'x' })
    assert.equal(await digest({ 'a.lock': '1', other: 'y' }), one)
    assert.notEqual(await digest({ 'a.lock': '2' }), one)
    assert.notEqual(await digest({ 'b.lock': '1' }), one)
    assert.equal(await digest({ other: 'x' }), undefined)
  })
})
