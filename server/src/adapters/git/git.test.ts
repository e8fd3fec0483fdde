import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { createRepository, serveRepositories } from '../../../../runner/src/testing/repositories.ts'
import { temporaryFolder } from '../../../../runner/src/testing/runner-under-test.ts'
import { createGitReader, type OpenRepository, type RepositoryAddress } from './index.ts'

const PATH = process.env['PATH'] ?? '/usr/bin:/bin'
const isRoot = process.getuid?.() === 0
const MANIFEST = '.signalbox/triggers.yaml'
const reader = createGitReader(PATH)
const folder = temporaryFolder()
const repository = createRepository(folder.path)
repository.git('config', 'uploadpack.allowFilter', 'true')
const server = await serveRepositories(folder.path, 'bot', "p@ss wörd'")
after(() => {
  server[Symbol.dispose]()
  folder[Symbol.dispose]()
})

const credential = { username: 'bot', password: "p@ss wörd'" }
const address: RepositoryAddress = {
  cloneUrl: `${server.url}/repository.git`,
  credential,
  signal: new AbortController().signal,
}

let made = 0

/** Writes a commit of these files (a text, or the target of a link) on top of `parent`; answers its id. */
function commit(
  files: Readonly<Record<string, string | { readonly link: string }>>,
  parents: readonly string[],
): string {
  const index = join(folder.path, `index-${(made += 1)}`)
  const env = {
    PATH,
    GIT_INDEX_FILE: index,
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@b',
  }
  const git = (args: readonly string[], input = ''): string =>
    execFileSync('git', args, { cwd: repository.path, input, encoding: 'utf8', env }).trim()
  for (const [path, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : content.link
    const blob = git(['hash-object', '-w', '--stdin'], text)
    git([
      'update-index',
      '--add',
      '--cacheinfo',
      `${typeof content === 'string' ? '100644' : '120000'},${blob},${path}`,
    ])
  }
  const tree = git(['write-tree'])
  return git(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', 'x'])
}

function portOf(listening: Server): number {
  const bound = listening.address()
  return typeof bound === 'object' && bound !== null ? bound.port : 0
}

async function opened<T>(given: Partial<RepositoryAddress>, work: (open: OpenRepository) => Promise<T>): Promise<T> {
  const open = await reader.open({ ...address, ...given })
  try {
    return await work(open)
  } finally {
    await open.close()
  }
}

describe('the commit that a ref points at', () => {
  const lookUp = (ref: string, given: Partial<RepositoryAddress> = {}) => opened(given, (open) => open.findCommit(ref))

  test('is told by the server; of an annotated tag it is the commit that the tag names', async () => {
    const [first = '', second = ''] = repository.commits
    repository.git('update-ref', 'refs/heads/looked-up', first)
    // A server lists every ref that ends so.
    repository.git('update-ref', 'refs/heads/refs/heads/looked-up', second)
    repository.git('tag', '-a', 'looked-up', '-m', 'x', second)
    assert.deepEqual(await lookUp('refs/heads/looked-up'), { outcome: 'found', commitSha: first })
    assert.deepEqual(await lookUp('refs/tags/looked-up'), { outcome: 'found', commitSha: second })
  })

  test('is not found where there is none, and a pattern or an option is a name', async () => {
    for (const ref of ['refs/heads/none', 'refs/heads/*', '--upload-pack=touch /tmp/x']) {
      const found = await lookUp(ref)
      assert.equal(found.outcome, 'failed', ref)
    }
    const refused = await lookUp('refs/heads/main', { credential: undefined })
    assert.deepEqual(refused, {
      outcome: 'failed',
      reason: 'refs/heads/main cannot be looked up: the server refused the credential.',
      retry: false,
    })
  })
})

describe('one file at a commit', () => {
  const before = commit({ [MANIFEST]: 'version: 1\n', 'src/a.ts': 'a', 'big/b.bin': 'b'.repeat(100_000) }, [])
  const later = commit({ 'src/a.ts': 'no manifest any more' }, [before])
  repository.git('update-ref', 'refs/heads/feature', later)

  test('is found by the commit, not by what the branch has now, and read by its blob', async () => {
    await opened({}, async (open) => {
      const found = await open.findBlob({ commitSha: before, ref: 'refs/heads/feature' }, MANIFEST)
      assert.equal(found.outcome, 'found', JSON.stringify(found))
      const blobId = found.outcome === 'found' ? found.blobId : ''
      assert.equal(blobId, repository.git('rev-parse', `${before}:${MANIFEST}`))
      const read = await open.readBlob(blobId, 1000)
      assert.equal(read.outcome === 'found' && read.bytes.toString(), 'version: 1\n')
    })
  })

  test('is absent where the commit has none, and a link is no file', async () => {
    const linked = commit({ [MANIFEST]: { link: '/etc/passwd' } }, [])
    repository.git('update-ref', 'refs/heads/linked', linked)
    await opened({}, async (open) => {
      assert.deepEqual(await open.findBlob({ commitSha: later, ref: null }, MANIFEST), {
        outcome: 'absent',
        commitSha: later,
      })
      assert.deepEqual(await open.findBlob({ commitSha: linked, ref: null }, MANIFEST), {
        outcome: 'absent',
        commitSha: linked,
      })
    })
  })

  test('fetches neither other files nor history', async () => {
    const big = commit({ [MANIFEST]: 'version: 1\n', 'big.bin': 'x'.repeat(3_000_000) }, [later])
    repository.git('update-ref', 'refs/heads/big', big)
    await opened({}, async (open) => {
      assert.equal((await open.findBlob({ commitSha: big, ref: null }, MANIFEST)).outcome, 'found')
      const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(`signalbox-git-${process.pid}-`))
      const objects = folders.map((name) =>
        execFileSync('git', ['cat-file', '--batch-all-objects', '--batch-check'], {
          cwd: join(tmpdir(), name),
          encoding: 'utf8',
          env: { PATH, GIT_NO_LAZY_FETCH: '1' },
          ...(isRoot ? { uid: 61_183, gid: 61_183 } : {}),
        }),
      )
      assert.ok(objects.join('').includes(`${big} commit`), objects.join(''))
      assert.ok(!objects.join('').includes(`${later} commit`))
      assert.ok(!objects.join('').includes(' blob '), objects.join(''))
    })
  })

  test('of a ref is the one that it points at now', async () => {
    await opened({}, async (open) => {
      const found = await open.findBlob({ commitSha: null, ref: 'refs/heads/feature' }, MANIFEST)
      assert.deepEqual(found, { outcome: 'absent', commitSha: later })
    })
  })

  test('is found by the id of an annotated tag, also through another tag, and through its ref', async () => {
    repository.git('tag', '-a', 'v1', '-m', 'a tag', before)
    repository.git('tag', '-a', 'release', '-m', 'a tag of a tag', 'v1')
    for (const tag of ['v1', 'release']) {
      const id = repository.git('rev-parse', tag)
      assert.notEqual(id, before)
      for (const at of [
        { commitSha: id, ref: null },
        { commitSha: null, ref: `refs/tags/${tag}` },
      ] as const) {
        const found = await opened({}, (open) => open.findBlob(at, MANIFEST))
        assert.equal(found.outcome === 'found' && found.commitSha, before, JSON.stringify(found))
      }
    }
  })

  test('of a tag of a tree is not looked for: it is no commit', async () => {
    repository.git('tag', '-a', 'tree', '-m', 'a tag of a tree', repository.git('rev-parse', `${before}^{tree}`))
    const commitSha = repository.git('rev-parse', 'tree')
    for (const at of [
      { commitSha, ref: 'refs/tags/tree' },
      { commitSha: null, ref: 'refs/tags/tree' },
    ] as const) {
      const found = await opened({}, (open) => open.findBlob(at, MANIFEST))
      assert.deepEqual(found, {
        outcome: 'failed',
        reason: 'The name asked for is neither a commit nor a tag of one.',
        retry: false,
      })
    }
  })

  test('larger than allowed is refused', async () => {
    const huge = commit({ [MANIFEST]: 'x'.repeat(200_000) }, [])
    repository.git('update-ref', 'refs/heads/huge', huge)
    await opened({}, async (open) => {
      const found = await open.findBlob({ commitSha: huge, ref: null }, MANIFEST)
      const read = await open.readBlob(found.outcome === 'found' ? found.blobId : '', 65_536)
      assert.equal(read.outcome, 'failed')
      assert.match(read.outcome === 'failed' ? read.reason : '', /larger than 65536 bytes/)
    })
  })

  test('of a repository that is not there, of a commit that is gone, with a wrong credential: a sentence each', async () => {
    const of = (given: Partial<RepositoryAddress>, commitSha = before) =>
      opened(given, (open) => open.findBlob({ commitSha, ref: null }, MANIFEST))
    const cases = [
      [await of({ cloneUrl: `${server.url}/nobody.git` }), /no such repository|exit code/],
      [await of({}, 'f'.repeat(40)), /does not give out|exit code/],
      [await of({ credential: { ...credential, password: 'wrong-password' } }), /refused the credential/],
      [await of({ credential: undefined }), /refused the credential/],
      [await of({ cloneUrl: 'http://127.0.0.1:1/x.git' }), /could not be reached/],
      [await of({ cloneUrl: `file://${repository.path}` }), /exit code/],
      [await of({ cloneUrl: 'ext::sh -c touch% x' }), /exit code/],
      [await of({ signal: AbortSignal.abort() }), /stopped/],
    ] as const
    for (const [found, sentence] of cases) {
      assert.equal(found.outcome, 'failed')
      assert.match(found.outcome === 'failed' ? found.reason : '', sentence)
      assert.ok(!JSON.stringify(found).includes('wrong-password'))
    }
  })

  test('a commit of an event that is not there may come yet; one that lay before it does not come back', async () => {
    const away = 'f'.repeat(40)
    await opened({}, async (open) => {
      const found = await open.findBlob({ commitSha: away, ref: null }, MANIFEST)
      assert.equal(found.outcome === 'failed' && found.retry, true)
      const paths = await open.listChangedPaths({ commitSha: before, ref: null }, { kind: 'before', commitSha: away })
      assert.equal(paths.outcome === 'failed' && paths.retry, false)
    })
  })

  test('that is told of before its ref has moved may come yet, and is found once it has', async () => {
    repository.git('update-ref', 'refs/heads/behind', before)
    const elsewhere = temporaryFolder()
    try {
      // Made where the server does not look: it gives out every object that it has.
      const clone = join(elsewhere.path, 'clone.git')
      repository.git('clone', '--quiet', '--bare', '--no-local', repository.path, clone)
      const inClone = (...args: readonly string[]) =>
        repository.git('-c', 'user.name=A', '-c', 'user.email=a@b', '-C', clone, ...args)
      const commitSha = inClone('commit-tree', '-p', before, '-m', 'to be pushed', `${before}^{tree}`)
      const at = { commitSha, ref: 'refs/heads/behind' }
      const early = await opened({}, (open) => open.findBlob(at, MANIFEST))
      assert.deepEqual(early, {
        outcome: 'failed',
        reason: 'The server does not give out that commit, and refs/heads/behind is at another one.',
        retry: true,
      })
      inClone('push', '--quiet', repository.path, `${commitSha}:refs/heads/behind`)
      const late = await opened({}, (open) => open.findBlob(at, MANIFEST))
      assert.equal(late.outcome === 'found' && late.commitSha, commitSha, JSON.stringify(late))
    } finally {
      elsewhere[Symbol.dispose]()
    }
  })
})

describe('the credential', () => {
  test('does not follow a redirect, and neither does the fetch', async () => {
    const asked: (string | undefined)[] = []
    const other = createServer((request, response) => {
      asked.push(request.headers.authorization)
      response.writeHead(200).end()
    })
    const first = createServer((request, response) => {
      const port = portOf(other)
      response.writeHead(302, { location: `http://127.0.0.1:${port}${request.url}` }).end()
    })
    for (const each of [other, first]) await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve))
    const port = portOf(first)
    const found = await opened({ cloneUrl: `http://127.0.0.1:${port}/x.git` }, (open) =>
      open.findBlob({ commitSha: 'a'.repeat(40), ref: null }, MANIFEST),
    )
    for (const each of [other, first]) each.close()
    assert.equal(found.outcome, 'failed')
    assert.deepEqual(asked, [])
  })

  test('leaves nothing behind', async () => {
    await opened({}, (open) => open.findBlob({ commitSha: null, ref: 'refs/heads/feature' }, MANIFEST))
    const left = readdirSync(tmpdir()).filter((name) => name.startsWith(`signalbox-git-${process.pid}-`))
    assert.deepEqual(left, [])
  })

  test("folders of processes that were killed are removed at the first use, and nobody else's of such a name", async () => {
    const ours = join(tmpdir(), 'signalbox-git-999999999-test')
    const foreign = join(tmpdir(), 'signalbox-git-999999998-test')
    for (const left of [ours, foreign]) mkdirSync(left, { recursive: true })
    if (isRoot) {
      chownSync(ours, 61_183, 61_183)
      chownSync(foreign, 65_534, 65_534)
    }
    await (await createGitReader(PATH).open(address)).close()
    assert.equal(existsSync(ours), false)
    if (isRoot) assert.equal(existsSync(foreign), true)
    rmSync(foreign, { recursive: true, force: true })
  })

  test('git never runs as root', { skip: !isRoot }, async () => {
    using programs = temporaryFolder()
    const seen = join(programs.path, 'seen')
    chmodSync(programs.path, 0o755)
    writeFileSync(seen, '')
    chmodSync(seen, 0o666)
    const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8', env: { PATH } }).trim()
    writeFileSync(join(programs.path, 'git'), `#!/bin/sh\nid -u >>${seen}\nexec ${git} "$@"\n`, { mode: 0o755 })
    const open = await createGitReader(`${programs.path}:${PATH}`).open(address)
    const at = { commitSha: null, ref: 'refs/heads/main' }
    assert.notEqual((await open.findBlob(at, 'number')).outcome, 'failed')
    await open.close()
    assert.deepEqual(new Set(readFileSync(seen, 'utf8').trim().split('\n')), new Set(['61183']))
  })
})

describe('changed files', () => {
  const root = commit({ 'README.md': '1', 'src/a.ts': '1', 'src/b.ts': '1' }, [])
  const main = commit({ 'README.md': '2', 'src/a.ts': '1', 'src/b.ts': '1' }, [root])
  const side = commit({ 'README.md': '1', 'src/a.ts': '2', 'lib/c.ts': '1' }, [root])
  repository.git('update-ref', 'refs/heads/paths-main', main)
  repository.git('update-ref', 'refs/heads/paths-side', side)

  test('of a pull request lie between its head and the merge base, not the tip of the base branch', async () => {
    const read = await opened({}, (open) =>
      open.listChangedPaths(
        { commitSha: side, ref: 'refs/heads/paths-side' },
        { kind: 'merge_base', with: { commitSha: null, ref: 'refs/heads/paths-main' } },
      ),
    )
    assert.deepEqual(read, { outcome: 'found', paths: ['lib/c.ts', 'src/a.ts', 'src/b.ts'] })
  })

  test('of a push lie between the commits before and after it, also when it was forced', async () => {
    const read = await opened({}, (open) =>
      open.listChangedPaths({ commitSha: side, ref: null }, { kind: 'before', commitSha: main }),
    )
    assert.deepEqual(read, { outcome: 'found', paths: ['README.md', 'lib/c.ts', 'src/a.ts', 'src/b.ts'] })
  })

  test('of a tag that was moved lie between the commits that both tags stand for', async () => {
    repository.git('tag', '-a', 'moved', '-m', 'before', root)
    const commitSha = repository.git('rev-parse', 'moved')
    repository.git('tag', '-a', 'kept', '-m', 'keeps the first tag reachable', commitSha)
    repository.git('tag', '-a', '-f', 'moved', '-m', 'after', side)
    const at = { commitSha: repository.git('rev-parse', 'moved'), ref: null }
    const read = await opened({}, (open) => open.listChangedPaths(at, { kind: 'before', commitSha }))
    assert.deepEqual(read, { outcome: 'found', paths: ['lib/c.ts', 'src/a.ts', 'src/b.ts'] })
  })

  test('are unknown without a common ancestor or without the base', async () => {
    const alone = commit({ x: 'x' }, [])
    repository.git('update-ref', 'refs/heads/alone', alone)
    await opened({}, async (open) => {
      const unrelated = await open.listChangedPaths(
        { commitSha: alone, ref: null },
        { kind: 'merge_base', with: { commitSha: main, ref: null } },
      )
      assert.match(unrelated.outcome === 'failed' ? unrelated.reason : '', /No common ancestor/)
      const gone = await open.listChangedPaths(
        { commitSha: side, ref: null },
        { kind: 'before', commitSha: 'e'.repeat(40) },
      )
      assert.equal(gone.outcome, 'failed')
    })
  })
})

test('six repositories are open at once; the seventh waits for its turn, or until its time is over', async () => {
  const own = createGitReader(PATH)
  const open = await Promise.all(Array.from({ length: 6 }, () => own.open(address)))
  const over = new AbortController()
  const late = own.open({ ...address, signal: over.signal })
  const waiting = own.open(address)
  over.abort()
  const read = await (await late).findBlob({ commitSha: 'a'.repeat(40), ref: null }, MANIFEST)
  assert.equal(read.outcome, 'failed')
  assert.deepEqual([Reflect.get(read, 'retry'), /too many/.test(String(Reflect.get(read, 'reason')))], [true, true])
  await (await late).close()
  assert.equal(await Promise.race([waiting.then(() => 'open'), Promise.resolve('waits')]), 'waits')
  await Promise.all(open.map((one) => one.close()))
  await (await waiting).close()
  const again = await Promise.all(Array.from({ length: 6 }, () => own.open(address)))
  await Promise.all(again.map((one) => one.close()))
})
