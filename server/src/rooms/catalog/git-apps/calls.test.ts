import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { ForgeAnswer } from '#adapters/forges'
import { createTestClock, until } from '#platform/testing'
import { aSecret } from '#rooms/foundation/secrets/testing'
import type { CredentialWish } from './index.ts'
import { aKey, anInstallation, openGitApps } from './testing.ts'

// What other rooms ask: calls with tokens of installations, logins for Git, proofs of deliveries.

const clock = createTestClock(new Date())
const room = await openGitApps({ clock })
const { github, send, db, door } = room
const never = new AbortController().signal
const REFRESH = 'git_apps.refresh-installation'
const wish = (more: Partial<CredentialWish> = {}): CredentialWish => ({
  ref: 'app:github',
  teamPath: 'acme/web',
  repository: 'acme/web',
  uses: ['read'],
  baseUrl: github.url,
  ...more,
})
const found = <T>(value: T): ForgeAnswer<T> => ({ outcome: 'found', value })
const tokenOf = (more: Partial<CredentialWish> = {}) =>
  door.call(wish(more), never, async (token) => found(token ?? 'nobody'))
const reasonOf = async (more: Partial<CredentialWish> = {}): Promise<string> => {
  const answer = await tokenOf(more)
  return answer.outcome === 'failed' ? answer.reason : answer.outcome
}
const asked = () => github.calls.filter((call) => call.endsWith('/access_tokens')).length
const refused: ForgeAnswer<never> = {
  outcome: 'failed',
  reason: 'refused',
  retry: false,
  cause: 'refused',
  status: 401,
}

beforeEach(async () => {
  await db.deleteFrom('git_apps').execute()
  await db.deleteFrom('webhook_sources').execute()
  github.interfere = () => undefined
  github.installations.clear()
  github.installations.set('42', anInstallation('acme', ['web', 'api']))
  await clock.advance(60_000)
  await room.register()
  await send('POST', '/installations', { installation_id: '42' })
  await room.work(REFRESH)
  github.calls.length = 0
  github.tokens.clear()
})

describe('a token of an installation', () => {
  test('is narrowed to the repository and to the rights of the uses', async () => {
    await tokenOf({ uses: ['read', 'comments', 'checks'] })
    const [token] = github.tokens.values()
    assert.deepEqual(token?.asked, {
      repositories: ['web'],
      permissions: { contents: 'read', metadata: 'read', pull_requests: 'write', checks: 'write' },
    })
  })

  test('is asked for once by any number of callers, and again a minute before it expires', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => tokenOf()))
    assert.equal(asked(), 1)
    assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1)
    await tokenOf({ repository: 'acme/api' })
    await tokenOf({ uses: ['checks'] })
    assert.equal(asked(), 3, 'another scope has another token')
    await clock.advance(3_600_000 - 61_000)
    await tokenOf()
    assert.equal(asked(), 3)
    await clock.advance(2_000)
    await tokenOf()
    assert.equal(asked(), 4)
  })

  test('that is fresh and refused is tried again for up to 5 s, by itself', async () => {
    let tries = 0
    const calling = door.call(wish(), never, async (token) => {
      tries += 1
      return tries < 4 ? refused : found(token)
    })
    const ticking = setInterval(() => void clock.advance(200), 5)
    const answer = await calling
    clearInterval(ticking)
    assert.equal(answer.outcome, 'found')
    assert.deepEqual([tries, asked()], [4, 1])
  })

  test('that was revoked is dropped, and another one is asked for once', async () => {
    const first = await tokenOf()
    await clock.advance(10_000)
    const seen: (string | undefined)[] = []
    const answer = await door.call(wish(), never, async (token) => {
      seen.push(token)
      return seen.length === 1 ? refused : found(token)
    })
    assert.equal(answer.outcome, 'found')
    assert.equal(asked(), 2)
    assert.equal(first.outcome === 'found' && first.value === seen[0], true)
    assert.notEqual(seen[0], seen[1])
    const ticking = setInterval(() => void clock.advance(500), 5)
    const always = await door.call(wish(), never, async () => refused)
    clearInterval(ticking)
    assert.equal(always.outcome, 'failed', 'it ends')
  })

  test('of two hosts is never the other one', async () => {
    assert.equal(
      await reasonOf({ baseUrl: 'https://github.com' }),
      await reasonOf({ repository: 'acme/none' }).then((text) => text.replace('acme/none', 'acme/web')),
    )
    assert.equal(asked(), 0)
  })

  test('is of the new key once the old one is gone, under traffic', async () => {
    await tokenOf()
    const second = aKey()
    github.keys.push(second)
    const traffic = Promise.all(Array.from({ length: 20 }, () => tokenOf()))
    assert.equal((await send('PUT', '', { app_id: '7', private_key: second, keep_previous: false })).status, 200)
    for (const answer of await traffic) assert.equal(answer.outcome, 'found')
    const before = asked()
    github.keys.shift()
    assert.equal((await tokenOf()).outcome, 'found')
    assert.ok(asked() > before, 'a token of the old key serves nobody')
    github.keys.splice(0, github.keys.length, second)
  })

  test('is dropped at once when another process tells of a change', async () => {
    await tokenOf()
    await room.database.notifications.ready()
    await db.updateTable('git_installations').set({ status: 'permissions_outdated' }).execute()
    await until(
      'a new token',
      async () => {
        await tokenOf()
        return asked()
      },
      (count) => count === 2,
    )
  })

  test('is in no log, answer or audit record', async () => {
    await tokenOf()
    const [token = ''] = github.tokens.keys()
    github.interfere = () => ({ status: 500, body: { message: token } })
    const reason = await reasonOf({ repository: 'acme/api' })
    const audit = JSON.stringify(await db.selectFrom('audit_records').selectAll().execute())
    const jobs = JSON.stringify(await db.selectFrom('git_installations').selectAll().execute())
    for (const told of [reason, audit, jobs]) assert.equal(told.includes(token), false)
  })
})

describe('who may use an installation', () => {
  test('is its teams and those below, for their repositories; all others read what nobody has', async () => {
    const put = (teams: object[]) => send('PUT', '/installations/42/teams', { teams })
    await put([{ team_path: 'acme/web', repositories: ['acme/web'] }])
    assert.equal((await tokenOf()).outcome, 'found')
    const absent = (await reasonOf({ repository: 'acme/none' })).replace('acme/none', 'X')
    assert.equal((await reasonOf({ repository: 'acme/api' })).replace('acme/api', 'X'), absent)
    assert.equal((await reasonOf({ teamPath: 'acme' })).replace('acme/web', 'X'), absent.replace('acme/web', 'acme'))
    await put([])
    assert.equal((await reasonOf()).replace('acme/web', 'X'), absent)
    const of = { teamPath: 'other', provider: 'github', baseUrl: github.url }
    const unknown = await door.check(db, 'app:github', of)
    assert.equal((await door.check(db, 'app:gitlab', of))?.replace('app:gitlab', 'app:github'), unknown)
    assert.equal(await door.check(db, 'app:github', { ...of, teamPath: 'acme/web' }), undefined)
    assert.ok(await door.check(db, 'app:github', { ...of, teamPath: 'acme', baseUrl: null }))
    assert.ok(await door.check(db, 'app:github', { ...of, teamPath: 'acme', provider: 'gitea' }))
    assert.ok(await door.check(db, 'app:elsewhere', of))
  })

  test('ends at once with a suspension, a deletion, and a repository that leaves', async () => {
    const source = (await send('GET', '')).body.source_id
    const hear = (eventType: string, action: string, more: object = {}) =>
      room.database.transaction((tx) =>
        door.hearDelivery(tx, source, { eventType, action, payload: { installation: { id: 42 }, ...more } }),
      )
    assert.equal((await tokenOf()).outcome, 'found')
    await hear('installation_repositories', 'removed', { repositories_removed: [{ id: 1 }] })
    assert.match(await reasonOf(), /has no installation with acme\/web/)
    assert.equal((await tokenOf({ repository: 'acme/api' })).outcome, 'found')
    await hear('installation', 'suspend')
    assert.match(await reasonOf({ repository: 'acme/api' }), /is suspended/)
    await hear('installation', 'deleted')
    assert.match(await reasonOf({ repository: 'acme/api' }), /was removed at the provider/)
    await send('DELETE', '/installations/42')
    assert.match(await reasonOf({ repository: 'acme/api' }), /has no installation/)
  })

  test('a suspension that only the refusal tells is kept', async () => {
    const installation = github.installations.get('42')
    assert.ok(installation)
    installation.suspended = true
    assert.equal((await tokenOf()).outcome, 'failed')
    assert.equal((await send('GET', '/installations/42')).body.status, 'suspended')
  })

  test('a missing right is named', async () => {
    await db
      .updateTable('git_installations')
      .set({ permissions: { contents: 'read' } })
      .execute()
    github.interfere = (call) => (call.endsWith('/access_tokens') ? { status: 422 } : undefined)
    assert.match(await reasonOf({ uses: ['checks'] }), /lacks checks: write/)
  })
})

describe('other credentials', () => {
  test('serve through the same door', async () => {
    await aSecret(room.kit, db, { teamPath: 'acme', name: 'token', value: 'bot:very-secret' })
    const ref = 'secret:acme/token'
    assert.deepEqual(await tokenOf({ ref }), found('bot:very-secret'))
    assert.deepEqual(await tokenOf({ ref: null }), found('nobody'))
    assert.deepEqual(await door.readLogin(wish({ ref }), never), { username: 'bot', password: 'very-secret' })
    assert.equal(await door.readLogin(wish({ ref: null }), never), undefined)
    assert.match(await reasonOf({ ref, teamPath: 'other' }), /cannot be used/)
    assert.equal(await door.check(db, ref, { teamPath: 'acme', provider: 'github', baseUrl: null }), undefined)
  })

  test('a login for Git is a token of the installation', async () => {
    const login = await door.readLogin(wish(), never)
    assert.ok(login && 'password' in login)
    assert.equal(login.username, 'x-access-token')
    assert.ok(github.tokens.has(login.password))
    const none = await door.readLogin(wish({ repository: 'acme/none' }), never)
    assert.ok(none && 'unusable' in none)
  })

  test('the secrets of an app prove its deliveries, newest first', async () => {
    const read = await door.readProof(db, 'app:github', 'acme')
    assert.deepEqual('values' in read && read.values, ['hook-secret-of-the-double'])
    await send('PUT', '', { app_id: '7', webhook_secret: 'a-newer-one' })
    const both = await door.readProof(db, 'app:github', 'acme')
    assert.deepEqual('values' in both && both.values, ['a-newer-one', 'hook-secret-of-the-double'])
    assert.ok('unusable' in (await door.readProof(db, 'app:github', 'other')))
    assert.ok('unusable' in (await door.readProof(db, 'app:gitea', 'acme')))
  })

  test('the app is listed, acts as itself, and has an account', async () => {
    const source = (await send('GET', '')).body.source_id
    assert.deepEqual(await door.listApps(), [{ provider: 'github', baseUrl: github.url, sourceId: source }])
    assert.equal(await door.botLoginOf(source), 'signalbox-acme[bot]')
    assert.equal(await door.botLoginOf(room.kit.ids.next()), undefined)
    const answer = await door.asApp('github', never, async (connection, forge) =>
      forge.apps ? forge.apps.find(connection) : { outcome: 'not_found' },
    )
    assert.equal(answer.outcome === 'found' && answer.value.appId, '7')
    assert.equal((await door.asApp('gitlab', never, async () => found(1))).outcome, 'failed')
    assert.equal((await door.asApp('gogs', never, async () => found(1))).outcome, 'failed')
  })
})
