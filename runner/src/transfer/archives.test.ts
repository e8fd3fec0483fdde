import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { chmod, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { Header, type HeaderData, Pax } from 'tar'
import { OpenFolder } from '../trees/open-folder.ts'
import { makeDeepTree } from '../trees/testing.ts'
import { Trees } from '../trees/trees.ts'
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
const limitBytes = 1024 * 1024
const trees = new Trees()
after(() => trees[Symbol.asyncDispose]())
const archives = new Archives({ folder: own, workspaces: root, owner, limitBytes, trees })
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

const stagings = (): string[] => readdirSync(root).filter((name) => name.startsWith('unpack-'))

const pack = async (folder: string, ...paths: string[]) => {
  const archive = await archives.pack(folder, paths, never)
  assert.ok(archive)
  return archive
}

/** An archive as no runner makes it. */
const crafted = (...entries: HeaderData[]): string => {
  const blocks = entries.map((entry) => {
    const header = new Header(entry)
    header.encode()
    return header.block ?? Buffer.alloc(512)
  })
  const file = join(own, `crafted-${++count}`)
  writeFileSync(file, zstdCompressSync(Buffer.concat([...blocks, Buffer.alloc(1024)])))
  return file
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
  const files = (...patterns: string[]) => {
    using opened = OpenFolder.open(folder)
    return matchFiles(opened, patterns).files
  }

  test('are those that fit, everything below a folder that is named, and what is not taken out again', () => {
    assert.deepEqual(files('dist'), ['dist/a.js', 'dist/b.map', 'dist/deep/b.js'])
    assert.deepEqual(files('./dist/'), ['dist/a.js', 'dist/b.map', 'dist/deep/b.js'])
    assert.deepEqual(files('dist/**', '!**/*.map'), ['dist/a.js', 'dist/deep/b.js'])
    assert.deepEqual(files('dist/*.js'), ['dist/a.js'])
    assert.deepEqual(files('*.txt', 'x'), ['a.txt', 'x/y'])
    assert.equal(files('.').length, 6)
    assert.deepEqual(files('nothing/here'), [])
  })

  test('are within the folder, whatever the patterns', () => {
    const known = files('.')
    fc.assert(
      fc.property(fc.array(fc.constantFrom('..', '*', '**', 'a', '/', './', 'dist', '!x')), (parts) => {
        let found: readonly string[] = []
        try {
          found = files(parts.join(''))
        } catch (error) {
          assert.equal(error instanceof Error && error.name, 'PatternError')
        }
        for (const file of found) assert.ok(known.includes(file), file)
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

  test('says of a few folders by name that they cannot be read, and of the others how many they are', {
    skip: !asRoot,
  }, async () => {
    const long = 'ü'.repeat(120)
    const names = Array.from({ length: 400 }, (_, at) => `${long}${at}/file`)
    const folder = aWorkspace(Object.fromEntries([...names, 'mine'].map((name) => [name, ''])))
    for (const name of await readdir(folder)) if (name !== 'mine') chownSync(join(folder, name), 0, 0)
    for (const name of await readdir(folder)) if (name !== 'mine') await chmod(join(folder, name), 0o700)
    const { files, unreadable, moreUnreadable } = await pack(folder, '**')
    assert.deepEqual([files, unreadable.length, moreUnreadable], [1, 20, 380])
    assert.match(unreadable[0] ?? '', /^ü{120}\d+$/)
  })

  test('says in a short sentence what is wrong with a file of a very long name', async () => {
    const file = crafted({ path: `../${'\u0001'.repeat(90)}`, type: 'File', mode: 0o644, size: 0 })
    await assert.rejects(archives.unpack(aWorkspace({}), file, never), /leads out of the workspace/)
    const deep = Array.from({ length: 14 }, () => '\u0001'.repeat(200)).join('/')
    const block = new Pax({ path: `../${deep}`, size: 0 }).encode()
    const header = new Header({ path: 'x', type: 'File', mode: 0o644, size: 0 })
    header.encode()
    const long = join(own, 'long')
    writeFileSync(long, zstdCompressSync(Buffer.concat([block, header.block ?? block, Buffer.alloc(1024)])))
    await assert.rejects(archives.unpack(aWorkspace({}), long, never), /^ArchiveError: \.\.\/.{1997}\.\.\.$/)
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
    const file = crafted(
      { path: './link', type: 'SymbolicLink', linkpath: outside, mode: 0o777, size: 0 },
      { path: './link/new', type: 'File', mode: 0o644, size: 0 },
      { path: './hard', type: 'Link', linkpath: join(outside, 'old'), mode: 0o644, size: 0 },
      { path: '../up', type: 'File', mode: 0o644, size: 0 },
      { path: './in', type: 'File', mode: 0o644, size: 0 },
    )
    const to = aWorkspace({})
    await assert.rejects(archives.unpack(to, file, never), /link\/new in the archive leads out of the workspace/)
    assert.deepEqual(await readdir(outside), ['old'])
    assert.deepEqual(await readdir(to), [])
    assert.equal(existsSync(join(to, '../up')), false)
  })

  test('made by somebody else gets no name for a file outside of the workspace', async () => {
    const outside = aWorkspace({ old: 'old' })
    for (const linkpath of [join(outside, 'old'), 'link/old', '../old']) {
      const file = crafted(
        { path: './link', type: 'SymbolicLink', linkpath: outside, mode: 0o777, size: 0 },
        { path: './hard', type: 'Link', linkpath, mode: 0o644, size: 0 },
      )
      const to = aWorkspace({})
      await assert.rejects(archives.unpack(to, file, never), /hard in the archive leads out of the workspace/)
      assert.deepEqual(await readdir(to), [])
    }
  })

  test('made by somebody else leads nowhere out by a second name of its own link', async () => {
    const outside = aWorkspace({ old: 'old' })
    const file = crafted(
      { path: './link', type: 'SymbolicLink', linkpath: outside, mode: 0o777, size: 0 },
      { path: './second', type: 'Link', linkpath: './link', mode: 0o777, size: 0 },
      { path: './third', type: 'Link', linkpath: 'second', mode: 0o777, size: 0 },
      { path: './third/new', type: 'File', mode: 0o644, size: 0 },
    )
    const to = aWorkspace({})
    await assert.rejects(archives.unpack(to, file, never), /third\/new in the archive leads out of the workspace/)
    assert.deepEqual(await readdir(outside), ['old'])
    assert.deepEqual(await readdir(to), [])
  })

  test('goes where a link within the workspace leads', async () => {
    const archive = await pack(aWorkspace({ 'dist/a.js': 'new' }), 'dist')
    const to = aWorkspace({ 'build/b.js': '' })
    symlinkSync('build', join(to, 'dist'))
    await archives.unpack(to, archive.file, never)
    assert.deepEqual((await readdir(join(to, 'build'))).toSorted(), ['a.js', 'b.js'])
  })

  test('that is broken is refused with a reason, and nothing of it stays', async () => {
    const file = join(own, 'broken')
    writeFileSync(file, 'this is no archive')
    const to = aWorkspace({})
    await assert.rejects(archives.unpack(to, file, never), /./)
    const archive = await pack(aWorkspace({ a: 'a', b: randomBytes(500_000).toString('hex').slice(0, 900_000) }), '**')
    truncateSync(archive.file, archive.size - 100_000)
    await assert.rejects(archives.unpack(to, archive.file, never), /./)
    const impossible = crafted(
      { path: './a', type: 'File', mode: 0o644, size: 0 },
      { path: './a/b', type: 'File', mode: 0o644, size: 0 },
    )
    await assert.rejects(archives.unpack(to, impossible, never), /./)
    assert.deepEqual(await readdir(to), [])
    assert.deepEqual(stagings(), [])
  })

  test('replaces files and links that lie where it goes, and is told where a folder does', async () => {
    const archive = await pack(aWorkspace({ a: 'new', 'b/c': 'new', d: 'new' }), '**')
    const outside = aWorkspace({ old: 'old' })
    const to = aWorkspace({ a: 'old', 'b/e': 'kept' })
    symlinkSync(join(outside, 'old'), join(to, 'd'))
    await archives.unpack(to, archive.file, never)
    assert.deepEqual(
      ['a', 'b/c', 'b/e', 'd'].map((name) => readFileSync(join(to, name), 'utf8')),
      ['new', 'new', 'kept', 'new'],
    )
    assert.equal(readFileSync(join(outside, 'old'), 'utf8'), 'old')
    const inTheWay = aWorkspace({ 'a/full': '' })
    await assert.rejects(archives.unpack(inTheWay, archive.file, never), /a cannot be written \(ENOTEMPTY\)/)
  })

  test('has names and targets of any length', async () => {
    const long = ['x'.repeat(120), 'y'.repeat(200), 'ünïcode'].join('/')
    const from = aWorkspace({ [long]: 'here' })
    symlinkSync(`../${'z'.repeat(300)}`, join(from, 'link'))
    const to = aWorkspace({})
    await archives.unpack(to, (await pack(from, '**')).file, never)
    assert.equal(readFileSync(join(to, long), 'utf8'), 'here')
    assert.equal(readlinkSync(join(to, 'link')), `../${'z'.repeat(300)}`)
  })

  test('is refused with a true sentence where a name is not UTF-8, unless it is excluded', async () => {
    const folder = aWorkspace({ 'dist/a': 'a' })
    writeFileSync(Buffer.from(`${folder}/dist/caf\xe9.txt`, 'latin1'), '')
    await assert.rejects(
      archives.pack(folder, ['dist'], never),
      /^ArchiveError: the name of dist\/caf\\xe9\.txt is not UTF-8, and no archive can hold it; rename it, or exclude it with "!"$/,
    )
    assert.equal((await pack(folder, 'dist', '!**/*.txt')).files, 1)
    assert.equal((await pack(folder, 'dist/a')).files, 1)
    symlinkSync(Buffer.from('caf\xe9.txt', 'latin1'), join(folder, 'link'))
    await assert.rejects(archives.pack(folder, ['link'], never), /the link link leads to a name that is not UTF-8/)
  })

  test('is refused with a true sentence where files lie too deep, and holds whatever else is named', async () => {
    const folder = aWorkspace({ 'dist/a': 'a' })
    makeDeepTree(join(folder, 'dist/deep'), 6000)
    await assert.rejects(
      archives.pack(folder, ['dist'], never),
      /^ArchiveError: dist\/deep\/d\/d.{0,60}\.\.\. lies deeper than 250 folders, the most that an archive may hold;/,
    )
    assert.equal((await pack(folder, 'dist/a')).files, 1)
    assert.equal((await pack(folder, 'dist', '!dist/deep')).files, 1)
    await trees.remove(folder)
  })

  test('holds what lies 250 folders deep, and gives it back', async () => {
    const path = [...Array.from({ length: 250 }, () => 'd'), 'file'].join('/')
    const archive = await pack(aWorkspace({ [path]: 'x' }), '**')
    const to = aWorkspace({})
    await archives.unpack(to, archive.file, never)
    assert.equal(readFileSync(join(to, path), 'utf8'), 'x')
  })

  test('made by somebody else is refused where it is deep, or its names are long', async () => {
    const unpacking = (path: string) => {
      const header = new Header({ path: 'x', type: 'File', mode: 0o644, size: 0 })
      header.encode()
      const blocks = [new Pax({ path, size: 0 }).encode(), header.block ?? Buffer.alloc(512), Buffer.alloc(1024)]
      const file = join(own, `hostile-${++count}`)
      writeFileSync(file, zstdCompressSync(Buffer.concat(blocks)))
      return archives.unpack(aWorkspace({}), file, never)
    }
    await assert.rejects(unpacking('d/'.repeat(100_000)), /lies deeper than 250 folders/)
    await assert.rejects(
      unpacking(Array.from({ length: 20 }, () => 'n'.repeat(200)).join('/')),
      /longer than 3000 bytes/,
    )
    await assert.rejects(unpacking('n'.repeat(300)), /ENAMETOOLONG/)
  })

  test('gives nobody rights: neither setuid bits nor devices are packed or unpacked', async () => {
    const from = aWorkspace({ tool: '#!/bin/sh\n' })
    await chmod(join(from, 'tool'), 0o6755)
    const to = aWorkspace({})
    await archives.unpack(to, (await pack(from, 'tool')).file, never)
    assert.equal((await stat(join(to, 'tool'))).mode & 0o7777, 0o755)
    const setuid = crafted({ path: './tool', type: 'File', mode: 0o6777, size: 0 })
    await archives.unpack(to, setuid, never)
    assert.equal((await stat(join(to, 'tool'))).mode & 0o7000, 0)
    const device = crafted({ path: './disk', type: 'BlockDevice', mode: 0o666, size: 0, devmaj: 8, devmin: 0 })
    await assert.rejects(archives.unpack(to, device, never), /unsupported entry type: BlockDevice/)
    assert.equal(existsSync(join(to, 'disk')), false)
  })

  test('is stopped with its attempt', async () => {
    const stop = new AbortController()
    stop.abort()
    await assert.rejects(archives.pack(aWorkspace({ a: '' }), ['a'], stop.signal))
  })
})

describe('more bytes than a runner takes', () => {
  const most = /more than 1 MiB, the most that this runner takes \(--archive-limit-mib\)/

  test('are not packed, however little room they take', async () => {
    const folder = aWorkspace({ sparse: '' })
    truncateSync(join(folder, 'sparse'), 20 * 1024 ** 3)
    const before = await readdir(own)
    await assert.rejects(archives.pack(folder, ['sparse'], never), most)
    await assert.rejects(archives.digest(folder, ['sparse'], never), most)
    assert.deepEqual(await readdir(own), before)
  })

  test('are counted as they are when they are unpacked: what is packed fits', async () => {
    const around = 3 * 512
    await assert.rejects(archives.pack(aWorkspace({ a: 'x'.repeat(limitBytes - around + 1) }), ['a'], never), most)
    const archive = await pack(aWorkspace({ a: 'x'.repeat(limitBytes - around) }), 'a')
    const to = aWorkspace({})
    await archives.unpack(to, archive.file, never)
    assert.deepEqual(await readdir(to), ['a'])
  })

  test('are not unpacked, and nothing of the archive stays', async () => {
    const generous = new Archives({ folder: own, workspaces: root, owner, limitBytes: 8 * limitBytes, trees })
    const archive = await generous.pack(aWorkspace({ a: 'a', b: 'x'.repeat(2 * limitBytes) }), ['**'], never)
    assert.ok(archive && archive.size < 10_000)
    const to = aWorkspace({ mine: '' })
    await assert.rejects(archives.unpack(to, archive.file, never), most)
    assert.deepEqual(await readdir(to), ['mine'])
    assert.deepEqual(stagings(), [])
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
    await assert.rejects(archives.pack(folder, ['roots'], never), /roots cannot be read \(EACCES\)/)
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
