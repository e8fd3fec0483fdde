import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Result, Submodules } from '@signalbox/contracts/runner'
import { serveRepositories } from '../testing/repositories.ts'
import { startRunner, temporaryFolder } from '../testing/runner-under-test.ts'

type Files = Readonly<Record<string, string>>
interface Options {
  depth?: number
  tags?: boolean
  submodules?: Submodules
  lfs?: boolean
  sparse?: string[]
  ref?: string
  merge?: { baseRef: string; baseSha: string }
}

const openFolder = () => {
  const folder = temporaryFolder()
  chmodSync(folder.path, 0o755)
  return folder
}

/** A bare repository whose commits are made of files. */
const makeRepository = (folder: string, name: string) => {
  const path = join(folder, name)
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', args, {
      cwd: folder,
      input,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'] ?? '/usr/bin:/bin',
        HOME: folder,
        GIT_DIR: path,
        GIT_INDEX_FILE: join(folder, 'index'),
        GIT_AUTHOR_NAME: 'Ada',
        GIT_AUTHOR_EMAIL: 'ada@example.com',
        GIT_COMMITTER_NAME: 'Ada',
        GIT_COMMITTER_EMAIL: 'ada@example.com',
      },
    }).trim()
  git(['init', '--quiet', '--bare', '--initial-branch=main'])
  const commit = (files: Files, parents: readonly string[] = [], modules: Files = {}): string => {
    git(['read-tree', '--empty'])
    for (const [file, text] of Object.entries(files)) {
      const blob = git(['hash-object', '-w', '--stdin'], text)
      git(['update-index', '--add', '--cacheinfo', `100644,${blob},${file}`])
    }
    for (const [file, sha] of Object.entries(modules)) {
      git(['update-index', '--add', '--cacheinfo', `160000,${sha},${file}`])
    }
    return git(['commit-tree', git(['write-tree']), ...parents.flatMap((parent) => ['-p', parent]), '-m', 'a commit'])
  }
  return { path, commit, git: (...args: readonly string[]) => git(args) }
}

const bot = { username: 'bot', password: 'only-for-git' }

/** Answers what a script in a checkout printed, or why there was none. */
const checkouts = async (folder: string, login?: typeof bot) => {
  const server = await serveRepositories(folder, login?.username, login?.password)
  const runner = await startRunner({ localRepositories: [folder] })
  const { gateway } = runner
  let fence = 0n
  return {
    server,
    run: async (cloneUrl: string, commitSha: string, options: Options, script: string) => {
      const checkout = { cloneUrl, commitSha, ref: 'refs/heads/main', ...login, ...options }
      gateway.assign({ fence: ++fence, runId: `run ${fence}`, script, checkout })
      const { result, reason } = await gateway.finished(fence)
      return result === Result.SUCCESS ? gateway.texts(fence, 'stdout') : reason
    },
    [Symbol.asyncDispose]: async () => {
      await runner[Symbol.asyncDispose]()
      server[Symbol.dispose]()
    },
  }
}

const withoutLfs = (): boolean => spawnSync('git', ['lfs', 'version'], { stdio: 'ignore' }).status !== 0

/** A server in front of one for Git that answers for large files as well, by the batch protocol of Git LFS, with a login. */
const serveLargeFiles = async (gitUrl: string, files: Files) => {
  const batches: (string | undefined)[] = []
  const server = createServer(async (incoming, response) => {
    const path = incoming.url ?? '/'
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part)
    const body = Buffer.concat(parts)
    if (path.startsWith('/files/')) {
      response.end(files[path.slice('/files/'.length)])
    } else if (path.endsWith('/info/lfs/objects/batch')) {
      const { authorization, host } = incoming.headers
      if (authorization === undefined) {
        response.writeHead(401, { 'lfs-authenticate': 'Basic realm="lfs"' }).end('{}')
        return
      }
      batches.push(authorization)
      const asked: { objects: { oid: string; size: number }[] } = JSON.parse(body.toString())
      const objects = asked.objects.map(({ oid, size }) => ({
        oid,
        size,
        authenticated: true,
        actions: { download: { href: `http://${host}/files/${oid}` } },
      }))
      response.writeHead(200, { 'content-type': 'application/vnd.git-lfs+json' })
      response.end(JSON.stringify({ transfer: 'basic', objects }))
    } else {
      const passed = request(`${gitUrl}${path}`, { method: incoming.method, headers: incoming.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      passed.end(body)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    batches,
    [Symbol.dispose]: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

describe('the options of a checkout, out of a mirror and from a folder', () => {
  test('depth and tags', async () => {
    using folder = openFolder()
    const { path, commit, git } = makeRepository(folder.path, 'shop.git')
    const one = commit({ a: '1' })
    const two = commit({ a: '2' }, [one])
    const three = commit({ a: '3' }, [two])
    git('update-ref', 'refs/heads/main', three)
    git('tag', 'v1', one)
    git('tag', '-a', 'v2', '-m', 'annotated', two)
    await using checkout = await checkouts(folder.path)
    const look = 'git log --format=%H; git tag; git status --porcelain'
    for (const url of [`${checkout.server.url}/shop.git`, path]) {
      assert.deepEqual(await checkout.run(url, three, {}, look), [three])
      assert.deepEqual(await checkout.run(url, three, { depth: 2 }, look), [three, two])
      assert.deepEqual(await checkout.run(url, three, { depth: 0 }, look), [three, two, one])
      assert.deepEqual(await checkout.run(url, two, { depth: 2 }, look), [two, one])
      const described = await checkout.run(url, three, { depth: 0, tags: true }, `${look}; git describe`)
      assert.deepEqual(described, [three, two, one, 'v1', 'v2', `v2-1-g${three.slice(0, 7)}`])
    }
    // Tags move and go.
    git('tag', '-d', 'v2')
    git('tag', '-f', 'v1', three)
    const url = `${checkout.server.url}/shop.git`
    assert.deepEqual(await checkout.run(url, three, { depth: 0, tags: true }, 'git tag; git describe --tags'), [
      'v1',
      'v1',
    ])
  })

  test('sparse writes the named folders alone', async () => {
    using folder = openFolder()
    const { path, commit, git } = makeRepository(folder.path, 'shop.git')
    const head = commit({ top: '', 'docs/guide/a': '', 'docs/b': '', 'src/c': '', 'src/web/d': '' })
    git('update-ref', 'refs/heads/main', head)
    await using checkout = await checkouts(folder.path)
    for (const url of [`${checkout.server.url}/shop.git`, path]) {
      const found = await checkout.run(
        url,
        head,
        { sparse: ['docs/guide', 'src/web'] },
        'git ls-files -t | sort; git status --porcelain',
      )
      assert.deepEqual(found, ['H docs/b', 'H docs/guide/a', 'H src/c', 'H src/web/d', 'H top'])
      const fewer = await checkout.run(
        url,
        head,
        { sparse: ['src/web'] },
        'find . -name .git -prune -o -type f -print | sort',
      )
      assert.deepEqual(fewer, ['./src/c', './src/web/d', './top'])
    }
    for (const sparse of ['../x', '/etc', '--stdin', 'a*', '', 'a/../b']) {
      assert.match(String(await checkout.run(path, head, { sparse: [sparse] }, 'ls')), /is no folder of a repository/)
    }
  })

  test('merge checks out the same merge in each task, and names the files of a conflict', async () => {
    using folder = openFolder()
    const { path, commit, git } = makeRepository(folder.path, 'shop.git')
    const base = commit({ a: '1\n', b: '1\n' })
    const main = commit({ a: '2\n', b: '1\n' }, [base])
    const head = commit({ a: '1\n', b: '2\n' }, [base])
    const other = commit({ a: '3\n', b: '1\n' }, [base])
    git('update-ref', 'refs/heads/main', main)
    git('update-ref', 'refs/pull/1/head', head)
    git('update-ref', 'refs/pull/2/head', other)
    await using checkout = await checkouts(folder.path)
    const look = 'cat a b; git log -1 --format="%an %P"; git rev-parse HEAD'
    const found = new Set<string>()
    for (const url of [`${checkout.server.url}/shop.git`, path]) {
      for (const baseSha of ['', main]) {
        const merge = { baseRef: 'refs/heads/main', baseSha }
        const lines = await checkout.run(url, head, { ref: 'refs/pull/1/head', merge }, look)
        assert.ok(Array.isArray(lines), String(lines))
        assert.deepEqual(lines.slice(0, 3), ['2', '2', `Signalbox ${main} ${head}`])
        found.add(String(lines[3]))
      }
      const merge = { baseRef: 'refs/heads/main', baseSha: '' }
      assert.equal(
        await checkout.run(url, other, { ref: 'refs/pull/2/head', merge }, look),
        'The pull request cannot be merged into refs/heads/main: there are conflicts in "a".',
      )
      const gone = { baseRef: 'refs/heads/gone', baseSha: '' }
      assert.match(String(await checkout.run(url, head, { merge: gone }, look)), /^There is no refs\/heads\/gone in /)
    }
    assert.equal(found.size, 1)
  })

  test('submodules come from the host of the repository with its credential, and never from a folder', async () => {
    using folder = openFolder()
    const inner = makeRepository(folder.path, 'inner.git')
    const deepest = inner.commit({ c: 'deepest\n' })
    inner.git('update-ref', 'refs/heads/main', deepest)
    const middle = makeRepository(folder.path, 'middle.git')
    const modules = (path: string, url: string) => `[submodule "${path}"]\n\tpath = ${path}\n\turl = ${url}\n`
    const between = middle.commit({ '.gitmodules': modules('inner', '../inner.git'), b: 'between\n' }, [], {
      inner: deepest,
    })
    middle.git('update-ref', 'refs/heads/main', between)
    const shop = makeRepository(folder.path, 'shop.git')
    const top = shop.commit({ '.gitmodules': modules('libs/middle', '../middle.git') }, [], { 'libs/middle': between })
    const bad = (url: string) => shop.commit({ '.gitmodules': modules('x', url) }, [], { x: deepest })
    const closed = ['file:///etc', inner.path, 'ext::sh -c true', '-u./x'].map(bad)
    shop.git(
      'update-ref',
      'refs/heads/main',
      [top, ...closed].reduce((parent, each) => shop.commit({}, [parent, each])),
    )
    await using checkout = await checkouts(folder.path, bot)
    const url = `${checkout.server.url}/shop.git`
    const look =
      'cat libs/middle/b libs/middle/inner/c 2>&1 || true; git status --porcelain; find . ! -user "$(id -u)" || true'
    const direct = await checkout.run(url, top, { submodules: Submodules.DIRECT }, look)
    assert.deepEqual(direct, ['between', 'cat: libs/middle/inner/c: No such file or directory'])
    const all = await checkout.run(url, top, { submodules: Submodules.RECURSIVE }, look)
    assert.deepEqual(all, ['between', 'deepest'])
    for (const commit of closed) {
      assert.match(
        String(await checkout.run(url, commit, { submodules: Submodules.DIRECT }, 'ls x')),
        /^The checkout of the submodules of http.* failed/,
      )
    }
    // Another host, even on another port, gets no credential.
    using foreign = await serveRepositories(folder.path)
    const elsewhere = shop.commit({ '.gitmodules': modules('x', `${foreign.url}/inner.git`) }, [], { x: deepest })
    shop.git('update-ref', 'refs/heads/main', elsewhere)
    assert.deepEqual(await checkout.run(url, elsewhere, { submodules: Submodules.DIRECT }, 'cat x/c'), ['deepest'])
    assert.deepEqual(foreign.authorizations, [])
    foreign.login = bot
    assert.match(
      String(await checkout.run(url, elsewhere, { submodules: Submodules.DIRECT }, 'cat x/c')),
      /^The checkout of the submodules of http.* failed/,
    )
    assert.deepEqual(foreign.authorizations, [])
  })

  test('lfs fetches the files of the host of the repository with its credential', { skip: withoutLfs() }, async () => {
    using folder = openFolder()
    const { commit, git } = makeRepository(folder.path, 'shop.git')
    const content = 'a large file\n'
    const oid = createHash('sha256').update(content).digest('hex')
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`
    const head = commit({ '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n', 'a.bin': pointer })
    git('update-ref', 'refs/heads/main', head)
    await using checkout = await checkouts(folder.path, bot)
    using front = await serveLargeFiles(checkout.server.url, { [oid]: content })
    const url = `${front.url}/shop.git`
    const look = 'cat a.bin; git status --porcelain; find . ! -user "$(id -u)"'
    assert.deepEqual(await checkout.run(url, head, { lfs: true }, look), ['a large file'])
    assert.ok(front.batches.every((authorization) => authorization?.startsWith('Basic ')))
    assert.equal(
      String((await checkout.run(url, head, {}, 'head -1 a.bin'))[0]),
      'version https://git-lfs.github.com/spec/v1',
    )
  })

  test('lfs without the program says what is missing', { skip: !withoutLfs() }, async () => {
    using folder = openFolder()
    const { path, commit, git } = makeRepository(folder.path, 'shop.git')
    const head = commit({ a: '1' })
    git('update-ref', 'refs/heads/main', head)
    await using checkout = await checkouts(folder.path)
    assert.match(String(await checkout.run(path, head, { lfs: true }, 'ls')), /this runner has no program git-lfs/)
  })
})

test('an attempt without a commit fails, unless the control plane says that none is wanted', async () => {
  await using runner = await startRunner()
  const { gateway } = runner
  gateway.assign({ fence: 1n, runId: 'one', noCheckout: false, script: 'echo ran' })
  const { result, reason } = await gateway.finished(1n)
  assert.equal(result, Result.FAILURE)
  assert.match(reason, /^The task wants a checkout, and the control plane named no commit/)
  assert.deepEqual(gateway.texts(1n, 'stdout'), [])
  gateway.assign({ fence: 2n, runId: 'two', noCheckout: true, script: 'ls -A' })
  assert.equal((await gateway.finished(2n)).result, Result.SUCCESS)
})
