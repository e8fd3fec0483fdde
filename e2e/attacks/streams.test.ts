import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Api } from '../house/api.ts'
import { shareObjects } from '../house/data-folder.ts'
import { startSharedDatabase } from '../house/database.ts'
import { type House, makeDataDir, startHouse } from '../house/house.ts'
import { makePipeline, makeTeam } from '../house/team.ts'

const PIPELINE = `name: waiting
steps:
  - name: one
    tasks:
      - { name: only, run: "true" }
`
/** A stream that outlives its right would stay open for ever: nothing happens in the run that it follows. */
const NEVER_ENDED_MS = 60_000

interface Made {
  readonly id: string
}

/** A follower, and the end of its subject's right. */
interface Reader {
  readonly token: string
  end(): Promise<unknown>
}

/** Follows `path` and answers when the stream is open; `over` is the code of its last event. */
async function follow(api: Api, token: string, path: string): Promise<{ readonly over: Promise<string | undefined> }> {
  const response = await fetch(`${api.url}${path}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(NEVER_ENDED_MS),
  })
  assert.equal(response.status, 200, path)
  const over = response.text().then((text) => /event: closed\ndata: {"code":"(\w+)"/.exec(text)?.[1])
  // A later await must not leave the rejection unhandled meanwhile.
  over.catch(() => undefined)
  return { over }
}

describe('what follows a run at one control plane while rights are changed at another', () => {
  const ends = new AsyncDisposableStack()
  let here: House
  let there: House
  let run: string
  let users = 0

  before(async () => {
    const database = await startSharedDatabase()
    ends.defer(() => database.stop())
    const env = { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('base64') }
    here = await startHouse({ env })
    ends.defer(() => here.stop())
    const dataDir = makeDataDir()
    ends.defer(() => rmSync(dataDir, { recursive: true, force: true }))
    shareObjects(dataDir, here.dataDir)
    there = await startHouse({ env, dataDir })
    ends.defer(() => there.stop())
    const team = await makeTeam(there.api, 'acme')
    const pipeline = await makePipeline(there.api, team, PIPELINE)
    const path = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
    run = (await there.api.send<{ run_id: string }>('POST', path, { scope: team.scope })).run_id
  })
  after(() => ends.disposeAsync())

  const grant = (subject: string): Promise<Made> =>
    there.api.send<Made>('POST', '/v1/grants', { subject, role: 'viewer', team_path: 'acme' })
  const makeToken = (of: object): Promise<Made & { token: string }> =>
    there.api.send('POST', '/v1/tokens', { name: 'reader', ...of })
  const makeUser = async (): Promise<string> =>
    (await there.api.send<Made>('POST', '/v1/users', { login: `reader-${(users += 1)}` })).id

  async function aUser(change: (user: string, grantId: string, tokenId: string) => Promise<unknown>): Promise<Reader> {
    const user = await makeUser()
    const { id: grantId } = await grant(`user:${user}`)
    const { id, token } = await makeToken({ user_id: user })
    return { token, end: () => change(user, grantId, id) }
  }
  const send = (method: string, path: string, body?: unknown): Promise<unknown> => there.api.send(method, path, body)

  const cases: readonly (readonly [string, string, () => Promise<Reader>])[] = [
    ['its token is revoked', 'unauthenticated', () => aUser((_u, _g, token) => send('DELETE', `/v1/tokens/${token}`))],
    ['its grant is taken', 'forbidden', () => aUser((_user, id) => send('DELETE', `/v1/grants/${id}`))],
    [
      'its user is disabled',
      'unauthenticated',
      () => aUser((id) => send('PATCH', `/v1/users/${id}`, { disabled: true })),
    ],
    ['its user is deleted', 'unauthenticated', () => aUser((id) => send('DELETE', `/v1/users/${id}`))],
    [
      'its user leaves the group that had the grant',
      'forbidden',
      async () => {
        const user = await makeUser()
        const group = await there.api.send<Made>('POST', '/v1/groups', { name: `readers-${users}` })
        await send('PUT', `/v1/groups/${group.id}/members/${user}`)
        await grant(`group:${group.id}`)
        const { token } = await makeToken({ user_id: user })
        return { token, end: () => send('DELETE', `/v1/groups/${group.id}/members/${user}`) }
      },
    ],
    [
      'its service account is deleted',
      'unauthenticated',
      async () => {
        const account = await there.api.send<Made>('POST', '/v1/service-accounts', { team_path: 'acme', name: 'bot' })
        await grant(`service_account:${account.id}`)
        const { token } = await makeToken({ service_account_id: account.id })
        return { token, end: () => send('DELETE', `/v1/service-accounts/${account.id}`) }
      },
    ],
    [
      'its token expires',
      'unauthenticated',
      async () => {
        const user = await makeUser()
        await grant(`user:${user}`)
        const { token } = await makeToken({ user_id: user, expires_at: new Date(Date.now() + 20_000).toISOString() })
        return { token, end: async () => undefined }
      },
    ],
  ]
  for (const [what, code, make] of cases) {
    test(`ends when ${what}, and a new request is told the same`, async () => {
      const reader = await make()
      const paths = [`/v1/runs/${run}/logs/stream`, `/v1/runs/${run}/events`]
      const streams = await Promise.all(paths.map((path) => follow(here.api, reader.token, path)))
      await reader.end()
      assert.deepEqual(await Promise.all(streams.map(({ over }) => over)), [code, code])
      for (const path of paths) {
        const { status } = await here.api.as(reader.token).ask('GET', path)
        assert.equal(status, code === 'unauthenticated' ? 401 : 404)
      }
    })
  }

  test('goes on for everybody else', async () => {
    const leaving = await aUser((_u, _g, token) => send('DELETE', `/v1/tokens/${token}`))
    const staying = await aUser(async () => undefined)
    const path = `/v1/runs/${run}/events`
    const [one, other] = [await follow(here.api, leaving.token, path), await follow(here.api, staying.token, path)]
    await leaving.end()
    assert.equal(await one.over, 'unauthenticated')
    // The run's own end is what ends the other one: without a word of rights.
    await send('POST', `/v1/runs/${run}/cancel`, {})
    assert.equal(await other.over, undefined)
  })
})
