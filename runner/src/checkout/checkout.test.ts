import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { createRepository, serveRepositories } from '../testing/repositories.ts'
import { startRunner, temporaryFolder } from '../testing/runner-under-test.ts'
import { refProblem, shaProblem } from './rules.ts'

/** Makes a folder that the account of tasks may enter. */
const openFolder = () => {
  const folder = temporaryFolder()
  chmodSync(folder.path, 0o755)
  return folder
}

const none = { username: '', password: '', ref: '' }

describe('what may be checked out', () => {
  test('a ref is full and valid, a commit is a full id', () => {
    for (const ref of [
      '',
      'refs/heads/main',
      'refs/pull/1/head',
      'refs/heads/-oProxyCommand=x',
      'refs/heads/$(x)`"\'',
    ]) {
      assert.equal(refProblem(ref), undefined, ref)
    }
    for (const ref of [
      'main',
      '-x',
      'refs/heads/',
      'refs/heads/a..b',
      'refs/heads/a b',
      'refs/x',
      'refs/heads/a.lock',
      'refs/heads/*',
      'refs/heads/a:refs/heads/b',
      'refs/heads/a\nb',
      'refs/heads/.a',
      'refs/heads/a@{1}',
      '+refs/heads/a',
    ]) {
      assert.ok(refProblem(ref), ref)
    }
    assert.equal(shaProblem('a'.repeat(40)), undefined)
    for (const sha of ['', 'HEAD', 'a'.repeat(39), `-${'a'.repeat(39)}`, 'A'.repeat(40)])
      assert.ok(shaProblem(sha), sha)
  })
})

describe('a checkout', () => {
  test('puts exactly the commit of the event into the workspace, as the user that runs tasks', async () => {
    using folder = openFolder()
    const { path, commits } = createRepository(folder.path)
    await using runner = await startRunner({ localRepositories: [folder.path] })
    const { gateway } = runner
    const commitSha = commits[1] ?? ''
    gateway.assign({
      fence: 1n,
      script: 'cat number; git rev-parse HEAD; git status --porcelain; touch new; test -O number && echo mine',
      checkout: { ...none, cloneUrl: `file://${path}`, ref: 'refs/heads/main', commitSha },
    })
    const { result, reason } = await gateway.finished(1n)
    assert.equal(result, Result.SUCCESS, `${reason} ${gateway.texts(1n).join('\n')}`)
    assert.deepEqual(gateway.texts(1n, 'stdout'), ['2', commitSha, 'mine'])
  })

  test('hostile ref names are names and nothing else', async () => {
    using folder = openFolder()
    const { path, commits, git } = createRepository(folder.path)
    const [first = '', second = ''] = commits
    const marker = `${folder.path}/marker`
    const refs = [
      `refs/heads/zzz";touch\${IFS}${marker.slice(1)};#`,
      'refs/heads/-oProxyCommand=x',
      'refs/heads/--upload-pack=x',
    ]
    for (const ref of refs) git('update-ref', ref, second)
    // Branches that look like a commit id and like a tag, pointing elsewhere.
    git('update-ref', `refs/heads/${second}`, first)
    git('update-ref', 'refs/heads/refs/tags/v1', first)
    await using runner = await startRunner({ localRepositories: [folder.path] })
    const { gateway } = runner
    let fence = 0n
    for (const ref of [...refs, `refs/heads/${second}`, 'refs/heads/refs/tags/v1']) {
      gateway.assign({
        fence: ++fence,
        script: 'cat number; ls',
        checkout: { ...none, cloneUrl: `file://${path}`, ref, commitSha: second },
      })
      assert.equal((await gateway.finished(fence)).result, Result.SUCCESS, gateway.texts(fence).join('\n'))
      assert.deepEqual(gateway.texts(fence, 'stdout'), ['2', 'number'])
    }
    gateway.assign({
      fence: ++fence,
      script: 'true',
      checkout: { ...none, cloneUrl: `file://${path}`, ref: 'refs/heads/main', commitSha: 'f'.repeat(40) },
    })
    const gone = await gateway.finished(fence)
    assert.equal(gone.result, Result.FAILURE)
    assert.match(gone.reason, /Commit f{40} is not in refs\/heads\/main/)
  })

  test('a commit behind the tip of its ref is found, also by a plain path', async () => {
    using folder = openFolder()
    const { path, commits } = createRepository(folder.path, 5)
    await using runner = await startRunner({ localRepositories: [folder.path] })
    const { gateway } = runner
    gateway.assign({
      fence: 1n,
      script: 'cat number',
      checkout: { ...none, cloneUrl: path, ref: 'refs/heads/main', commitSha: commits[2] ?? '' },
    })
    assert.equal((await gateway.finished(1n)).result, Result.SUCCESS, gateway.texts(1n).join('\n'))
    assert.deepEqual(gateway.texts(1n, 'stdout'), ['3'])
  })

  test('the id of an annotated tag stands for its commit, also through another tag and after the tag was moved', async () => {
    using folder = openFolder()
    const { path, commits, git } = createRepository(folder.path)
    const [first = '', second = ''] = commits
    git('tag', '-a', 'v1', '-m', 'first', first)
    git('tag', '-a', 'release', '-m', 'a tag of a tag', 'v1')
    // A branch that is called like the tag's id, pointing elsewhere.
    git('update-ref', `refs/heads/${git('rev-parse', 'v1')}`, second)
    const ids = { v1: git('rev-parse', 'v1'), release: git('rev-parse', 'release') }
    await using runner = await startRunner({ localRepositories: [folder.path] })
    const { gateway } = runner
    let fence = 0n
    for (const [tag, id] of Object.entries(ids)) {
      assert.notEqual(id, first)
      for (const cloneUrl of [path, `file://${path}`]) {
        gateway.assign({
          fence: ++fence,
          script: 'cat number; git rev-parse HEAD',
          checkout: { ...none, cloneUrl, ref: `refs/tags/${tag}`, commitSha: id },
        })
        assert.equal((await gateway.finished(fence)).result, Result.SUCCESS, gateway.texts(fence).join('\n'))
        assert.deepEqual(gateway.texts(fence, 'stdout'), ['1', first])
      }
    }
    git('tag', '-a', '-f', 'v1', '-m', 'moved', second)
    git('tag', '-d', 'release')
    git('gc', '--quiet', '--prune=now')
    gateway.assign({
      fence: ++fence,
      script: 'true',
      checkout: { ...none, cloneUrl: `file://${path}`, ref: 'refs/tags/v1', commitSha: ids.v1 },
    })
    const gone = await gateway.finished(fence)
    assert.equal(gone.result, Result.FAILURE)
    assert.match(gone.reason, new RegExp(`Commit ${ids.v1} is not in refs/tags/v1 of .* any more`))
  })

  test('a tag of a tree, a tree and a file are no commit, and the reason says so', async () => {
    using folder = openFolder()
    const { path, git } = createRepository(folder.path)
    const tree = git('rev-parse', 'main^{tree}')
    git('tag', '-a', 'tree', '-m', 'a tag of a tree', tree)
    git('tag', 'file', git('rev-parse', 'main:number'))
    git('tag', 'lone', tree)
    await using runner = await startRunner({ localRepositories: [folder.path] })
    const { gateway } = runner
    let fence = 0n
    for (const tag of ['tree', 'lone', 'file']) {
      const commitSha = git('rev-parse', tag)
      gateway.assign({
        fence: ++fence,
        script: 'true',
        checkout: { ...none, cloneUrl: `file://${path}`, ref: `refs/tags/${tag}`, commitSha },
      })
      const refused = await gateway.finished(fence)
      assert.equal(refused.result, Result.FAILURE)
      assert.equal(refused.reason, `${commitSha} of file://${path} is neither a commit nor a tag of one.`)
    }
  })

  test('credentials go by askpass: neither in the log nor in the workspace, and a wrong one fails clearly', async () => {
    using folder = openFolder()
    const { commits } = createRepository(folder.path)
    const password = "p@ss' wörd$(id)"
    using server = await serveRepositories(folder.path, 'bot', password)
    await using runner = await startRunner()
    const { gateway } = runner
    const commitSha = commits[0] ?? ''
    const checkout = {
      cloneUrl: `${server.url}/repository.git`,
      ref: 'refs/heads/main',
      commitSha,
      username: 'bot',
      password,
    }
    gateway.assign({ fence: 1n, script: 'cat number .git/config; env', checkout })
    const { result, reason } = await gateway.finished(1n)
    assert.equal(result, Result.SUCCESS, `${reason} ${gateway.texts(1n).join('\n')}`)
    assert.equal(gateway.texts(1n, 'stdout')[0], '1')
    const text = gateway.texts(1n).join('\n')
    assert.ok(!text.includes('p@ss') && !text.includes('SIGNALBOX_GIT'), text)
    assert.ok(server.authorizations.length > 0)

    gateway.assign({
      fence: 2n,
      script: 'true',
      checkout: { ...checkout, password: 'wrong-password' },
    })
    const refused = await gateway.finished(2n)
    assert.equal(refused.result, Result.FAILURE)
    assert.match(refused.reason, /^The fetch of http.* failed: git ended with exit code 128/)
    assert.match(gateway.texts(2n).join('\n'), /Authentication failed/)
    assert.ok(!gateway.texts(2n).join('\n').includes('wrong-password'))
  })
})
