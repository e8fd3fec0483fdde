import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { createRepository } from '../testing/repositories.ts'
import { startRunner, temporaryFolder } from '../testing/runner-under-test.ts'
import { findLocalRepository, openLocalFolders } from './local-repositories.ts'

const isTaskId = (id: number): boolean => id === 60_706
const isRoot = process.getuid?.() === 0
const none = { username: '', password: '', ref: 'refs/heads/main' }
const outside = /names a folder that is in none of --local-repositories/

/** Makes a folder that the account of tasks may enter. */
const openFolder = () => {
  const folder = temporaryFolder()
  chmodSync(folder.path, 0o755)
  return folder
}

const makeFolder = (...parts: readonly string[]): string => {
  const path = join(...parts)
  mkdirSync(path)
  chmodSync(path, 0o755)
  return path
}

describe('folders of local repositories', () => {
  test('are folders that no task may write to, nor to any folder above', { skip: !isRoot }, () => {
    using folder = openFolder()
    const open = (path: string) => openLocalFolders([path], isTaskId)
    const safe = makeFolder(folder.path, 'safe')
    assert.deepEqual(open(`${safe}/`), [{ written: safe, real: safe }])
    const shared = makeFolder(folder.path, 'shared')
    const below = makeFolder(shared, 'below')
    chmodSync(shared, 0o777)
    for (const path of [shared, below]) assert.throws(() => open(path), /tasks may write to/)
    chmodSync(shared, 0o1777)
    assert.throws(() => open(shared), /tasks may write to/)
    assert.equal(open(below).length, 1)
    chmodSync(shared, 0o775)
    chownSync(shared, 1000, 60_706)
    assert.throws(() => open(below), /tasks may write to/)
    chownSync(shared, 60_706, 0)
    chmodSync(shared, 0o755)
    assert.throws(() => open(below), /tasks may write to/)
  })

  test('may be in a clone that a user and his group write to, as umask 002 makes it', { skip: !isRoot }, () => {
    using folder = openFolder()
    const clone = makeFolder(folder.path, 'clone')
    const below = makeFolder(clone, 'below')
    for (const path of [clone, below]) {
      chmodSync(path, 0o775)
      chownSync(path, 1000, 1000)
    }
    assert.equal(openLocalFolders([below], isTaskId).length, 1)
  })

  test('are named by a plain absolute path of something that is there', () => {
    using folder = openFolder()
    writeFileSync(join(folder.path, 'file'), '')
    const wrong = ['relative', '/', '/srv/../etc', join(folder.path, 'absent'), join(folder.path, 'file')]
    for (const path of wrong) {
      assert.throws(() => openLocalFolders([path], isTaskId), { code: 'runner.option_invalid' }, path)
    }
  })

  test('are never what git reads as a pattern, by their own name or by a link', () => {
    using folder = openFolder()
    const pattern = makeFolder(folder.path, '*')
    symlinkSync(pattern, join(folder.path, 'alias'))
    for (const path of [pattern, `${pattern}/`, join(folder.path, 'alias')]) {
      assert.throws(
        () => openLocalFolders([path], isTaskId),
        { code: 'runner.option_invalid', message: /^--local-repositories names .*\*.*\.$/ },
        path,
      )
    }
    const folders = openLocalFolders([folder.path], isTaskId)
    for (const name of ['*', 'alias']) {
      assert.equal(findLocalRepository(join(folder.path, name), folders), undefined, name)
    }
  })

  test('hold what lies in them after every link is followed, and nothing else', () => {
    using folder = openFolder()
    const allowed = makeFolder(folder.path, 'allowed')
    const closed = makeFolder(folder.path, 'closed')
    makeFolder(allowed, 'inside')
    symlinkSync(closed, join(allowed, 'out'))
    symlinkSync(allowed, join(folder.path, 'alias'))
    const folders = openLocalFolders([join(folder.path, 'alias')], isTaskId)
    assert.equal(findLocalRepository(join(folder.path, 'alias', 'inside'), folders), join(allowed, 'inside'))
    assert.equal(findLocalRepository(join(allowed, 'inside'), folders), join(allowed, 'inside'))
    for (const path of [join(allowed, 'out'), join(allowed, 'absent'), closed, '/etc', `${allowed}more`]) {
      assert.equal(findLocalRepository(path, folders), undefined, path)
    }
  })
})

describe('a checkout of a local repository', () => {
  test('is refused where the operator names no folder, with one answer for what is there and what is not', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    const reasons = new Set<string>()
    let fence = 0n
    for (const cloneUrl of ['file:///etc', 'file:///no/such/folder', '/etc']) {
      const checkout = { ...none, cloneUrl, commitSha: 'a'.repeat(40) }
      gateway.assign({ fence: ++fence, script: 'true', checkout })
      const { result, reason } = await gateway.finished(fence)
      assert.equal(result, Result.FAILURE)
      assert.match(reason, outside)
      reasons.add(reason)
    }
    assert.equal(reasons.size, 1)
  })

  test('leads out of the folder neither by "..", nor by an escape of it, nor by a link', async () => {
    using folder = openFolder()
    const allowed = makeFolder(folder.path, 'allowed')
    const { path, commits } = createRepository(folder.path)
    symlinkSync(path, join(allowed, 'link.git'))
    await using runner = await startRunner({ localRepositories: [allowed] })
    const { gateway } = runner
    let fence = 0n
    for (const cloneUrl of [
      `file://${path}`,
      `file://${allowed}/../repository.git`,
      `file://${allowed}/%2e%2e/repository.git`,
      `file://${allowed}/link.git`,
      `${allowed}/link.git`,
    ]) {
      const checkout = { ...none, cloneUrl, commitSha: commits[0] ?? '' }
      gateway.assign({ fence: ++fence, script: 'cat number', checkout })
      const { result, reason } = await gateway.finished(fence)
      assert.equal(result, Result.FAILURE, cloneUrl)
      assert.match(reason, /plain absolute path|names a folder that is in none/, cloneUrl)
    }
  })

  test('trusts that one repository, though it belongs to another user', { skip: !isRoot }, async () => {
    using folder = openFolder()
    const { commits } = createRepository(folder.path)
    await using runner = await startRunner({ localRepositories: [folder.path] })
    const { gateway } = runner
    const checkout = { ...none, cloneUrl: `file://${folder.path}/repository.git`, commitSha: commits[0] ?? '' }
    const script = 'cat number; git config --global --get-all safe.directory || echo nothing is trusted'
    gateway.assign({ fence: 1n, script, checkout })
    assert.equal((await gateway.finished(1n)).result, Result.SUCCESS, gateway.texts(1n).join('\n'))
    assert.deepEqual(gateway.texts(1n, 'stdout'), ['1', 'nothing is trusted'])
  })

  test('says who must be able to read it', { skip: !isRoot }, async () => {
    using folder = openFolder()
    const { path, commits } = createRepository(folder.path)
    chmodSync(path, 0o700)
    await using runner = await startRunner({ localRepositories: [folder.path] })
    const { gateway } = runner
    const checkout = { ...none, cloneUrl: `file://${path}`, commitSha: commits[0] ?? '' }
    gateway.assign({ fence: 1n, script: 'true', checkout })
    const { result, reason } = await gateway.finished(1n)
    assert.equal(result, Result.FAILURE)
    assert.match(reason, /The user that runs tasks \(uid \d+\) must be able to read a local repository\.$/)
  })

  // Each is a way to make git read, and quote, a file that it takes for its own.
  const traps: Readonly<Record<string, (repository: string, secret: string) => void>> = {
    'objects/info/alternates': (repository, secret) => symlinkSync(secret, join(repository, 'objects/info/alternates')),
    'a path among the alternates': (repository, secret) =>
      writeFileSync(join(repository, 'objects/info/alternates'), `${secret}\n`),
    config: (repository, secret) => {
      rmSync(join(repository, 'config'))
      symlinkSync(secret, join(repository, 'config'))
    },
    'an include of config': (repository, secret) =>
      writeFileSync(join(repository, 'config'), `[core]\n\tbare = true\n[include]\n\tpath = ${secret}\n`),
    'packed-refs': (repository, secret) => symlinkSync(secret, join(repository, 'packed-refs')),
    shallow: (repository, secret) => symlinkSync(secret, join(repository, 'shallow')),
    grafts: (repository, secret) => symlinkSync(secret, join(repository, 'info/grafts')),
    HEAD: (repository, secret) => {
      rmSync(join(repository, 'HEAD'))
      symlinkSync(secret, join(repository, 'HEAD'))
    },
    'the branch': (repository, secret) => {
      rmSync(join(repository, 'refs/heads/main'))
      symlinkSync(secret, join(repository, 'refs/heads/main'))
    },
    'the folder of objects': (repository, secret) => {
      renameSync(join(repository, 'objects'), join(repository, 'moved'))
      symlinkSync(join(secret, '..'), join(repository, 'objects'))
    },
  }

  for (const [name, lay] of Object.entries(traps)) {
    test(`tells nothing of a file of root, by ${name}`, { skip: !isRoot }, async () => {
      using folder = openFolder()
      const closed = makeFolder(folder.path, 'closed')
      const secret = join(closed, 'bootstrap-token')
      writeFileSync(secret, 'sbxb-never-shown\n', { mode: 0o600 })
      const { path, commits } = createRepository(folder.path)
      mkdirSync(join(path, 'info'), { recursive: true })
      lay(path, secret)
      await using runner = await startRunner({ localRepositories: [folder.path] })
      const { gateway } = runner
      const checkout = { ...none, cloneUrl: `file://${path}`, commitSha: commits[0] ?? '' }
      gateway.assign({ fence: 1n, script: 'true', checkout })
      const { reason } = await gateway.finished(1n)
      assert.doesNotMatch([reason, ...gateway.texts(1n)].join('\n'), /never-shown/)
    })
  }
})
