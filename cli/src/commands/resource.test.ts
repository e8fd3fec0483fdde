import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answer, refuse } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const ID = '01900000-0000-7000-8000-000000000001'
const OTHER = '01900000-0000-7000-8000-000000000002'

const user = (login: string, more: object = {}) => ({
  id: ID,
  login,
  name: login,
  email: null,
  has_password: false,
  disabled: false,
  created_at: '2026-11-23T08:00:00.000Z',
  updated_at: '2026-11-23T08:00:00.000Z',
  ...more,
})

/** Users by their list, one by one, changed and deleted, as the API answers. */
const users = (...known: readonly ReturnType<typeof user>[]) =>
  stage((request, response) => {
    if (request.method === 'DELETE') return answer(response, 204, undefined)
    if (request.path.startsWith('/v1/users?')) return answer(response, 200, known)
    return answer(response, 200, known[0])
  })

describe('a resource', () => {
  test('is named by what people call it, or by its id', async () => {
    await using here = await users(user('alice'), user('bob', { id: OTHER }))
    assert.equal((await here.run(['user', 'show', 'bob'])).code, 0)
    assert.equal(here.api.seen.at(-1)?.path, `/v1/users/${OTHER}`)
    assert.equal((await here.run(['user', 'show', ID])).code, 0)
    assert.equal(here.api.seen.at(-1)?.path, `/v1/users/${ID}`)
  })

  test('that nobody is called so exits 4, and names what was looked for', async () => {
    await using here = await users(user('alice'))
    const { code, err } = await here.run(['user', 'show', 'mallory'])
    assert.deepEqual(
      [code, err],
      [4, 'error There is no user mallory that you may see.\n  `signalbox user list` shows them.\n'],
    )
  })

  test('whose name two have is changed by its id alone', async () => {
    await using here = await users(user('alice'), user('alice', { id: OTHER }))
    const { code, err } = await here.run(['user', 'disable', 'alice'])
    assert.equal(code, 2)
    assert.match(err, /More than one user is called alice\.\n {2}Name it by its id\./)
    assert.deepEqual(
      here.api.seen.map(({ method }) => method),
      ['GET'],
    )
  })

  test('is changed by what is given, and by nothing else', async () => {
    await using here = await users(user('alice'))
    assert.equal((await here.run(['user', 'update', 'alice', '--email', ''])).code, 0)
    assert.deepEqual(JSON.parse(here.api.seen.at(-1)?.body ?? ''), { email: null })
    const { code, err } = await here.run(['user', 'update', 'alice'])
    assert.deepEqual([code, err], [2, 'error No option says what to change.\n'])
  })

  test('gets its password from the standard input', async () => {
    await using here = await users(user('alice'))
    await here.run(['user', 'create', 'alice', '--password-stdin'], { stdin: 'a long password\n' })
    assert.deepEqual(JSON.parse(here.api.seen.at(-1)?.body ?? ''), { login: 'alice', password: 'a long password' })
  })

  test('whose name steers the terminal is shown and not obeyed, in tables, notes and JSON', async () => {
    const evil = '\u001b[2J\u009b31m\u202eroot'
    await using here = await users(user('alice', { login: evil, name: evil }))
    for (const args of [['list'], ['show', ID], ['disable', ID], ['list', '--json'], ['show', ID, '--json']]) {
      const { out, err } = await here.run(['user', ...args], { terminal: true, env: { NO_COLOR: '1' } })
      assert.doesNotMatch(out + err, /[\u001b\u009b\u202e]/, args.join(' '))
    }
    const { out } = await here.run(['user', 'show', ID, '--json'])
    assert.equal(JSON.parse(out).login, evil)
  })
})

describe('a list', () => {
  const page = (from: number, next: boolean) =>
    stage((request, response) => {
      const first = !request.path.includes('cursor=')
      const link = first && next ? { link: '</v1/users?cursor=2>; rel="next"' } : {}
      answer(response, 200, [user(`user${first ? from : from + 1}`)], link)
    })

  test('tells that there is more than it shows, and --all shows all of it', async () => {
    await using here = await page(1, true)
    const some = await here.run(['user', 'list', '--limit', '1'])
    assert.match(some.out, /user1/)
    assert.match(some.err, /There are more than these 1: --all lists all of them\./)
    const all = await here.run(['user', 'list', '--all'])
    assert.match(all.out, /user1[^]*user2/)
    assert.equal(all.err, '')
  })

  test('that is complete tells nothing of more', async () => {
    await using here = await page(1, false)
    assert.equal((await here.run(['user', 'list', '--limit', '1'])).err, '')
  })

  test('does not follow a link to another host, and sends it no token', async () => {
    await using elsewhere = await users(user('mallory'))
    await using here = await stage((_request, response) =>
      answer(response, 200, [user('alice')], { link: `<${elsewhere.api.url}/v1/users?cursor=2>; rel="next"` }),
    )
    const { code } = await here.run(['user', 'list', '--all'])
    assert.equal(code, 5)
    assert.deepEqual(elsewhere.api.seen, [])
  })

  test('does not follow a redirect, and sends it no token', async () => {
    await using elsewhere = await users(user('mallory'))
    await using here = await stage((_request, response) =>
      response.writeHead(307, { location: `${elsewhere.api.url}/v1/users` }).end(),
    )
    const { code } = await here.run(['user', 'delete', ID, '--yes'])
    assert.equal(code, 5)
    assert.deepEqual(elsewhere.api.seen, [])
  })
})

describe('a delete', () => {
  const deletions = (seen: readonly { readonly method: string }[]) => seen.filter(({ method }) => method === 'DELETE')

  test('asks a person, who types yes', async () => {
    await using here = await users(user('alice'))
    const { code, err } = await here.run(['user', 'delete', 'alice'], { types: 'yes' })
    assert.equal(code, 0)
    assert.match(err, /The tokens and grants of the user are deleted too\.\nDelete the user alice\? Type yes to do it:/)
    assert.equal(deletions(here.api.seen).length, 1)
  })

  for (const types of ['', 'n', 'yesterday']) {
    test(`deletes nothing where they type "${types}"`, async () => {
      await using here = await users(user('alice'))
      const { code, err } = await here.run(['user', 'delete', 'alice'], { types })
      assert.equal(code, 2)
      assert.match(err, /error Nothing was done\./)
      assert.equal(deletions(here.api.seen).length, 0)
    })
  }

  test('where nobody can be asked needs --yes', async () => {
    await using here = await users(user('alice'))
    const { code, err } = await here.run(['user', 'delete', 'alice'])
    assert.equal(code, 2)
    assert.match(
      err,
      /Delete the user alice\? Nobody can be asked here, so nothing was done\.\n {2}Say --yes to do it\./,
    )
    assert.equal(deletions(here.api.seen).length, 0)
    assert.equal((await here.run(['user', 'delete', 'alice', '--yes'])).code, 0)
    assert.equal(deletions(here.api.seen).length, 1)
  })

  test('that is refused says why, and how to go on', async () => {
    await using here = await stage((request, response) =>
      request.method === 'DELETE'
        ? refuse(response, 409, 'team.in_use', 'The team owns 2 pipelines; delete them first.')
        : answer(response, 200, []),
    )
    const { code, err } = await here.run(['team', 'delete', 'acme', '--yes'])
    assert.equal(code, 6)
    assert.match(err, /^error The team owns 2 pipelines; delete them first\.\n/)
  })
})
