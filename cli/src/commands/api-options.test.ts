import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { profilePath } from '../config/profile.ts'
import { answer, startFakeApi } from '../testing/fake-api.ts'
import { makeTestFolder } from '../testing/test-surroundings.ts'

/** An API that knows no team, and a folder without any word of it in the environment. */
async function scene() {
  const api = await startFakeApi((_request, response) => answer(response, 200, []))
  const folder = makeTestFolder()
  return {
    api,
    folder,
    token: () => api.seen.at(-1)?.headers.authorization,
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]()
      await api[Symbol.asyncDispose]()
    },
  }
}

function store(folder: { readonly path: string }, text: string, mode: number): string {
  const path = join(folder.path, 'token')
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

describe('options of the API', () => {
  test('count before and after the words of a command, and in between', async () => {
    await using here = await scene()
    const { url } = here.api
    const own = ['--url', url, '--json']
    for (const args of [
      [...own, 'team', 'list'],
      ['team', ...own, 'list'],
      ['team', 'list', ...own],
      ['--url', url, 'team', '--json', 'list'],
      [...own, 'runner', 'list'],
    ]) {
      const { code, out } = await here.folder.run(args)
      assert.deepEqual([code, out], [0, '[]\n'], args.join(' '))
    }
  })

  test('count as they stand nearest to the last word', async () => {
    await using here = await scene()
    const { code } = await here.folder.run(['--url', 'http://127.0.0.1:1', 'team', 'list', '--url', here.api.url])
    assert.equal(code, 0)
  })

  test('are refused by a command that has no use for them', async () => {
    await using here = await scene()
    const { code, err } = await here.folder.run(['--url', here.api.url, 'logout'])
    assert.deepEqual([code, err], [2, 'error `signalbox logout` takes no --url.\n'])
  })

  test('that follow the word runner are those of the runner', async () => {
    await using here = await scene()
    const { code, err } = await here.folder.run(['runner', '--url', 'nonsense', '--work-dir', here.folder.path])
    assert.notEqual(code, 0)
    assert.doesNotMatch(err, /unknown option/)
    assert.deepEqual(here.api.seen, [])
  })
})

describe('--token-file', () => {
  test('wins over SIGNALBOX_TOKEN', async () => {
    await using here = await scene()
    const path = store(here.folder, 'sbxu_of_the_file\n', 0o600)
    const env = { SIGNALBOX_URL: here.api.url, SIGNALBOX_TOKEN: 'other' }
    assert.equal((await here.folder.run(['team', 'list', '--token-file', path], { env })).code, 0)
    assert.equal(here.token(), 'Bearer sbxu_of_the_file')
  })

  for (const mode of [0o644, 0o640, 0o620, 0o604]) {
    test(`that others may read or write (${mode.toString(8)}) is refused, and its token not sent`, async () => {
      await using here = await scene()
      store(here.folder, 'sbxu_of_the_file', mode)
      const { code, err } = await here.folder.run(['team', 'list', '--url', here.api.url, '--token-file', 'token'])
      assert.equal(code, 2)
      assert.match(err, /token holds a token, and other users may read or change it \(mode 6\d\d\)\.\n {2}chmod 600 /)
      assert.doesNotMatch(err, /sbxu_of_the_file/)
      assert.deepEqual(here.api.seen, [])
    })
  }

  test('that is a link counts by the file behind it', async () => {
    await using here = await scene()
    symlinkSync(store(here.folder, 'sbxu_of_the_file', 0o644), join(here.folder.path, 'link'))
    const { code } = await here.folder.run(['team', 'list', '--url', here.api.url, '--token-file', 'link'])
    assert.equal(code, 2)
  })

  test('that is missing, empty or no token says so', async () => {
    await using here = await scene()
    const run = () => here.folder.run(['team', 'list', '--url', here.api.url, '--token-file', 'token'])
    assert.match((await run()).err, /The file of --token-file cannot be read: ENOENT/)
    for (const text of ['', '\n', 'two\nlines', 'a\r\nX-Evil: 1']) {
      store(here.folder, text, 0o600)
      assert.match((await run()).err, /holds no token/)
    }
    assert.deepEqual(here.api.seen, [])
  })
})

test('what login keeps is refused where others may read it', async () => {
  await using here = await scene()
  const surroundings = here.folder.surroundings()
  const path = profilePath(surroundings)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, JSON.stringify({ url: here.api.url, token: 'sbxu_kept' }))
  chmodSync(path, 0o644)
  const { code, err } = await here.folder.run(['team', 'list'])
  assert.equal(code, 2)
  assert.match(err, /config\.json holds a token, and other users may read or change it/)
  chmodSync(path, 0o600)
  assert.equal((await here.folder.run(['team', 'list'])).code, 0)
  assert.equal(here.token(), 'Bearer sbxu_kept')
})
