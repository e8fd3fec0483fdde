import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { temporaryFolder } from '../testing/runner-under-test.ts'
import { makeDeepTree } from './testing.ts'
import { Trees } from './trees.ts'

const nobody = { uid: 65_534, gid: 65_534 }
const isRoot = process.getuid?.() === 0
const trees = new Trees()
after(() => trees[Symbol.asyncDispose]())

/** Leaves a program of root that makes its user root. */
const leaveSetuidRoot = (path: string): void => {
  writeFileSync(path, '')
  chmodSync(path, 0o6755)
}
const rightsOf = (path: string): number => lstatSync(path).mode & 0o7000

describe('what containers leave', { skip: isRoot ? false : 'only root leaves files of other users' }, () => {
  test('is taken over for the tasks that follow on the host, and nothing beyond a link', async () => {
    using root = temporaryFolder()
    using elsewhere = temporaryFolder()
    writeFileSync(join(elsewhere.path, 'kept'), '')
    const folder = join(root.path, '1')
    mkdirSync(join(folder, 'closed', 'inner'), { recursive: true })
    writeFileSync(join(folder, 'closed', 'inner', 'file'), '')
    symlinkSync(elsewhere.path, join(folder, 'link'))
    chmodSync(join(folder, 'closed'), 0o700)
    lchownSync(folder, nobody.uid, nobody.gid)
    await trees.takeOver(folder, nobody)
    for (const name of ['.', 'closed', 'closed/inner', 'closed/inner/file', 'link']) {
      assert.equal(lstatSync(join(folder, name)).uid, nobody.uid, name)
    }
    assert.equal(statSync(join(elsewhere.path, 'kept')).uid, 0)
    assert.equal(statSync(elsewhere.path).uid, 0)
  })

  test('gives nobody rights any more: setuid programs of one name and of several, and devices', async () => {
    using root = temporaryFolder()
    const at = (name: string) => join(root.path, name)
    mkdirSync(at('d'))
    for (const name of ['one', 'two', 'theirs', 'd/grouped']) leaveSetuidRoot(at(name))
    linkSync(at('two'), at('d/second'))
    chownSync(at('theirs'), nobody.uid, nobody.gid)
    chmodSync(at('theirs'), 0o4755)
    execFileSync('mknod', [at('disk'), 'b', '7', '99'])
    execFileSync('mknod', [at('d/null'), 'c', '1', '3'])
    await trees.stripRights(root.path)
    for (const name of ['one', 'two', 'd/second', 'theirs', 'd/grouped']) assert.equal(rightsOf(at(name)), 0, name)
    assert.equal(lstatSync(at('two')).uid, 0, 'whom it belongs to stays for the containers that follow')
    assert.equal(existsSync(at('disk')) || existsSync(at('d/null')), false)

    leaveSetuidRoot(at('again'))
    linkSync(at('again'), at('d/again'))
    await trees.takeOver(root.path, nobody)
    for (const name of ['one', 'two', 'd/second', 'again', 'd/again']) {
      assert.deepEqual([lstatSync(at(name)).uid, rightsOf(at(name))], [nobody.uid, 0], name)
    }
  })

  test('loses the capabilities of files when it is taken over', async () => {
    using root = temporaryFolder()
    const program = join(root.path, 'ping')
    writeFileSync(program, '', { mode: 0o755 })
    // cap_net_raw, effective: what setcap writes.
    const value = Buffer.from('0100000200200000000000000000000000000000', 'hex')
    const set =
      'use strict; my ($path, $hex) = @ARGV; my $value = pack("H*", $hex); my $name = "security.capability"; syscall(188, $path, $name, $value, length $value, 0) == 0 or die "$!"'
    const get =
      'my ($path) = @ARGV; my $name = "security.capability"; my $value = "\\0" x 64; print syscall(191, $path, $name, $value, 64)'
    if (process.arch !== 'x64') return
    execFileSync('perl', ['-e', set, program, value.toString('hex')])
    assert.equal(String(execFileSync('perl', ['-e', get, program])), '20')
    await trees.takeOver(root.path, nobody)
    assert.equal(String(execFileSync('perl', ['-e', get, program])), '-1')
  })

  test('that has a name out here loses the name in there, and nothing changes out here', async () => {
    using root = temporaryFolder()
    using elsewhere = temporaryFolder()
    const outside = join(elsewhere.path, 'sudo')
    leaveSetuidRoot(outside)
    linkSync(outside, join(root.path, 'mine'))
    await trees.takeOver(root.path, nobody)
    assert.deepEqual([lstatSync(outside).uid, rightsOf(outside)], [0, 0o6000])
    assert.equal(existsSync(join(root.path, 'mine')), false)
  })

  test('is taken over however deep it lies', async () => {
    using root = temporaryFolder()
    const folder = join(root.path, 'deep')
    makeDeepTree(folder, 3000)
    await trees.takeOver(folder, nobody)
    const owned = execFileSync('find', [folder, '-not', '-uid', '65534'], { maxBuffer: 100_000_000 })
    assert.equal(String(owned), '')
    await trees.remove(folder)
  })
})

describe('what a tree takes of the disk', () => {
  test('is counted in files and in what lies on the disk, whatever the names are and however deep', async () => {
    using root = temporaryFolder()
    const most = { bytes: 1e12, files: 1e6 }
    const empty = await trees.measure(root.path, most)
    writeFileSync(join(root.path, 'file'), Buffer.alloc(1_000_000, 'x'))
    linkSync(join(root.path, 'file'), join(root.path, 'again'))
    writeFileSync(Buffer.from(`${root.path}/caf\xe9`, 'latin1'), '')
    truncateSync(join(root.path, 'file'), 1e12)
    const { bytes, files } = await trees.measure(root.path, most)
    assert.equal(files - empty.files, 3)
    assert.ok(bytes - empty.bytes >= 1_000_000 && bytes - empty.bytes < 1_100_000, String(bytes))
    makeDeepTree(join(root.path, 'deep'), 3000)
    assert.equal((await trees.measure(root.path, most)).files - empty.files, 3 + 3000 + 2)
    assert.ok((await trees.measure(root.path, { ...most, files: 100 })).files <= 102, 'no longer than needed')
    await trees.remove(join(root.path, 'deep'))
  })
})
