import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { eventually } from '../../testing/eventually.ts'
import { createRepository, type GitServer, serveRepositories } from '../../testing/repositories.ts'
import type { RunnerUnderTest } from '../../testing/runner-under-test.ts'
import { startRunner, temporaryFolder } from '../../testing/runner-under-test.ts'

const bot = { username: 'bot', password: 'only-for-git' }
const nobody = { username: '', password: '' }

const openFolder = () => {
  const folder = temporaryFolder()
  chmodSync(folder.path, 0o755)
  return folder
}

const mirrorsOf = ({ workDir }: RunnerUnderTest): string => join(workDir, 'tasks', 'mirrors')
const packsOf = (runner: RunnerUnderTest): string[] => {
  const [mirror = ''] = readdirSync(mirrorsOf(runner))
  const folder = join(mirrorsOf(runner), mirror, 'objects', 'pack')
  return readdirSync(folder).map((name) => join(folder, name))
}

/** Runs scripts one after the other, each in a workspace of its own. */
const tasksOf = ({ gateway }: RunnerUnderTest, { url }: GitServer) => {
  let fence = 0n
  const assign = (commitSha: string, login: typeof bot, script: string, scope = 'acme/web') => {
    const checkout = { cloneUrl: `${url}/repository.git`, ref: 'refs/heads/main', commitSha, ...login }
    gateway.assign({ fence: ++fence, runId: `run ${fence}`, scope, script, checkout })
    return fence
  }
  const run = async (commitSha: string, login: typeof bot, script: string) => {
    const own = assign(commitSha, login, script)
    const { result, reason } = await gateway.finished(own)
    return { ok: result === Result.SUCCESS, reason, lines: gateway.texts(own, 'stdout'), all: gateway.texts(own) }
  }
  return { assign, run }
}

describe('a mirror on a root runner', { skip: process.getuid?.() !== 0 }, () => {
  test('fetches a commit once, also for two tasks at once, and of the next commit only what is new', async () => {
    using folder = openFolder()
    const { path, commits, git } = createRepository(folder.path)
    const big = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: path, input: randomBytes(1_000_000) })
    const blob = String(big).trim()
    const commit = (more: string, parent: string) => {
      const input = `100644 blob ${blob}\tbig\n${more}`
      const tree = String(execFileSync('git', ['mktree'], { cwd: path, input })).trim()
      return git('commit-tree', tree, '-p', parent, '-m', 'more')
    }
    const first = commit('', commits.at(-1) ?? '')
    const second = commit(`100644 blob ${git('rev-parse', 'main:number')}\tnew\n`, first)
    git('update-ref', 'refs/heads/main', second)
    using server = await serveRepositories(folder.path)
    await using runner = await startRunner()
    const { assign, run } = tasksOf(runner, server)
    const both = [assign(first, nobody, 'wc -c < big'), assign(first, nobody, 'wc -c < big')]
    for (const fence of both) {
      assert.equal((await runner.gateway.finished(fence)).reason, '')
      assert.deepEqual(runner.gateway.texts(fence, 'stdout'), ['1000000'])
    }
    assert.equal(server.fetches, 1)
    const before = server.servedBytes
    const script = 'git log --format=%H; git status --porcelain; git fsck --no-dangling 2>&1; ls'
    assert.deepEqual((await run(first, nobody, script)).lines, [first, 'big'])
    assert.equal(server.fetches, 1)
    assert.deepEqual((await run(second, nobody, script)).lines, [second, 'big', 'new'])
    assert.ok(server.servedBytes - before < 100_000, `${server.servedBytes - before} bytes were served`)
  })

  test('shares the blocks of its packs with a workspace, whose task can change neither them nor the mirror', async () => {
    using folder = openFolder()
    const { commits } = createRepository(folder.path)
    using server = await serveRepositories(folder.path)
    await using runner = await startRunner()
    const { run } = tasksOf(runner, server)
    const commit = commits.at(-1) ?? ''
    const attack = [
      `cd .git/objects/pack; stat -c %h *.pack`,
      'for each in *; do chmod u+w $each && echo changed; echo x 2>/dev/null >> $each && echo written; done 2>/dev/null',
      'chown $(id -u) * 2>/dev/null && echo taken',
      `ls ${mirrorsOf(runner)} 2>/dev/null && echo listed; touch ${mirrorsOf(runner)}/x 2>/dev/null && echo made`,
      `rm -f *; cd ../..; rm -rf objects config hooks; echo evil > alternates; true`,
    ].join('\n')
    const { ok, lines, reason } = await run(commit, nobody, attack)
    assert.equal(ok, true, reason)
    assert.deepEqual(lines, ['2'])
    assert.deepEqual((await run(commit, nobody, 'git fsck --strict 2>&1; cat number')).lines, ['3'])
    assert.equal(server.fetches, 1)
  })

  test('gives nothing to callers that cannot fetch it themselves: another credential, none, or one that was revoked', async () => {
    using folder = openFolder()
    const { commits } = createRepository(folder.path)
    using server = await serveRepositories(folder.path, bot.username, bot.password)
    await using runner = await startRunner()
    const { run } = tasksOf(runner, server)
    const commit = commits.at(-1) ?? ''
    assert.equal((await run(commit, bot, 'cat number')).reason, '')
    for (const login of [nobody, { ...bot, password: 'guessed' }, { ...bot, username: 'x' }]) {
      const { ok, reason, lines } = await run(commit, login, 'cat number; ls -A')
      assert.equal(ok, false)
      assert.match(reason, /^The fetch of http.* failed: git ended with exit code 128/)
      assert.deepEqual(lines, [])
    }
    server.login = { ...bot, password: 'another' }
    const revoked = await run(commit, bot, 'cat number')
    assert.equal(revoked.ok, false)
    assert.match(revoked.reason, /^The fetch of http.* failed/)
    assert.deepEqual(revoked.lines, [])
  })

  test('serves one scope and one credential, though everybody may read the repository', async () => {
    using folder = openFolder()
    const { commits } = createRepository(folder.path)
    using server = await serveRepositories(folder.path)
    await using runner = await startRunner()
    const { assign, run } = tasksOf(runner, server)
    const commit = commits.at(-1) ?? ''
    for (const login of [bot, { ...bot, password: 'another' }, nobody]) {
      assert.equal((await run(commit, login, 'cat number')).reason, '')
    }
    const elsewhere = assign(commit, nobody, 'cat number', 'acme/shop')
    assert.equal((await runner.gateway.finished(elsewhere)).reason, '')
    assert.equal(server.fetches, 4)
    assert.equal(readdirSync(mirrorsOf(runner)).length, 4)
  })

  for (const [how, spoil] of Object.entries({
    'cut short': (path: string) => truncateSync(path, 40),
    overwritten: (path: string) => writeFileSync(path, randomBytes(200)),
  })) {
    test(`with a pack that was ${how} is fetched anew`, async () => {
      using folder = openFolder()
      const { commits } = createRepository(folder.path)
      using server = await serveRepositories(folder.path)
      await using runner = await startRunner()
      const { run } = tasksOf(runner, server)
      const commit = commits.at(-1) ?? ''
      assert.equal((await run(commit, nobody, 'true')).reason, '')
      for (const path of packsOf(runner)) if (path.endsWith('.pack')) spoil(path)
      const mended = await run(commit, nobody, 'cat number; git fsck 2>&1')
      assert.equal(mended.reason, '', mended.all.join('\n'))
      assert.deepEqual(mended.lines, ['3'])
      assert.equal(server.fetches, 2)
    })
  }

  test('survives a killed fetch: the next in line fetches', async () => {
    using folder = openFolder()
    const { commits } = createRepository(folder.path)
    using server = await serveRepositories(folder.path)
    await using runner = await startRunner()
    const { gateway } = runner
    const { assign, run } = tasksOf(runner, server)
    const commit = commits.at(-1) ?? ''
    const gate = Promise.withResolvers<void>()
    server.held = gate.promise
    const first = assign(commit, nobody, 'true')
    await eventually(() => server.fetches === 1, 'the first one fetches')
    const spoilt = readdirSync(mirrorsOf(runner))
    assert.equal(spoilt.length, 1)
    const second = assign(commit, nobody, 'cat number')
    const third = assign(commit, nobody, 'true')
    gateway.send({ case: 'cancel', value: { fence: third, reason: 'Canceled while it waits.' } })
    assert.equal((await gateway.finished(third)).result, Result.CANCELED)
    gateway.send({ case: 'cancel', value: { fence: first, reason: 'Canceled.' } })
    assert.equal((await gateway.finished(first)).result, Result.CANCELED)
    gate.resolve()
    assert.equal((await gateway.finished(second)).reason, '')
    assert.deepEqual(gateway.texts(second, 'stdout'), ['3'])
    assert.equal((await run(commit, nobody, 'cat number')).reason, '')
    assert.equal(server.fetches, 2)
    const mirrors = readdirSync(mirrorsOf(runner))
    assert.equal(mirrors.length, 1)
    assert.notDeepEqual(mirrors, spoilt, 'nothing that a killed fetch left is used')
  })

  test('goes while a task still works with what came from it, and leaves that whole', async () => {
    using folder = openFolder()
    const { commits } = createRepository(folder.path)
    using server = await serveRepositories(folder.path)
    await using runner = await startRunner({ mirrorLimitBytes: 0 })
    const { run } = tasksOf(runner, server)
    const script = `git log --format=%s; git fsck 2>&1; git show HEAD:number; stat -c %h .git/objects/pack/*.pack`
    for (const [at, commit] of commits.entries()) {
      const { reason, lines } = await run(commit, nobody, script)
      assert.equal(reason, '')
      assert.deepEqual(lines, [`commit ${at + 1}`, String(at + 1), '1'])
    }
    await eventually(() => readdirSync(mirrorsOf(runner)).length === 0, 'no mirror is left')
  })

  test('that was used least recently goes where all take too much of the disk; none outlives its runner', async () => {
    using folder = openFolder()
    using workDir = openFolder()
    const { commits } = createRepository(folder.path)
    using server = await serveRepositories(folder.path)
    const commit = commits.at(-1) ?? ''
    const fillAndLeave = async () => {
      await using runner = await startRunner({ mirrorLimitBytes: 3_000, workDir: workDir.path })
      const { run } = tasksOf(runner, server)
      for (const username of ['a', 'b', 'a', 'c', 'd', 'a']) {
        assert.equal((await run(commit, { username, password: 'any' }, 'true')).reason, '')
      }
      // Each takes about 1,300 bytes, so two have room: `a` was used in between, until `c` and `d` came.
      assert.equal(server.fetches, 5)
      assert.equal(readdirSync(mirrorsOf(runner)).length, 2)
    }
    await fillAndLeave()
    assert.deepEqual(readdirSync(join(workDir.path, 'tasks', 'mirrors')), [])
    writeFileSync(join(workDir.path, 'tasks', 'mirrors', 'mirror-of-a-killed-runner'), '')
    await using next = await startRunner({ workDir: workDir.path })
    assert.ok(next.gateway.connected)
    assert.ok(!existsSync(join(workDir.path, 'tasks', 'mirrors', 'mirror-of-a-killed-runner')))
  })
})
