import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Api } from '../house/api.ts'
import { ADMIN_TOKEN, startHouse } from '../house/house.ts'
import { readOperations } from '../house/open-api.ts'
import { createRawClient } from '../house/raw-http.ts'
import { startRunner } from '../house/runner.ts'
import { runEnd, runLog } from '../house/runs.ts'
import { waitFor } from '../house/wait.ts'
import { makeWorld } from '../house/world.ts'
import { fillWithIds } from './fill.ts'

const house = await startHouse({ env: { LOG_LEVEL: 'debug' } })
const world = await makeWorld(house, 'acme')
const client = createRawClient(house.url)
after(async () => {
  client.close()
  await house.stop()
})
const { admin } = world

interface Created {
  readonly id: string
  readonly token: string
}

async function userWithToken(login: string, expiresAt: string | null = null): Promise<{ userId: string } & Created> {
  const user = await admin.send<{ id: string }>('POST', '/v1/users', { login })
  await admin.send('POST', '/v1/grants', { subject: `user:${user.id}`, role: 'viewer', team_path: 'acme' })
  const made = await admin.send<Created>('POST', '/v1/tokens', { name: login, user_id: user.id, expires_at: expiresAt })
  return { ...made, userId: user.id }
}

const statusOf = async (api: Api): Promise<number> => (await api.ask('GET', '/v1/auth/me')).status

describe('a token that is no longer good is as none', () => {
  test('revoked: from the next request on', async () => {
    const { id, token } = await userWithToken('ada')
    assert.equal(await statusOf(admin.as(token)), 200)
    await admin.send('DELETE', `/v1/tokens/${id}`)
    assert.equal(await statusOf(admin.as(token)), 401)
  })

  test('of a disabled user, and good again when the user is', async () => {
    const { userId, token } = await userWithToken('bob')
    assert.equal(await statusOf(admin.as(token)), 200)
    await admin.send('PATCH', `/v1/users/${userId}`, { disabled: true })
    assert.equal(await statusOf(admin.as(token)), 401)
    await admin.send('PATCH', `/v1/users/${userId}`, { disabled: false })
    assert.equal(await statusOf(admin.as(token)), 200)
  })

  test('of a deleted user', async () => {
    const { userId, token } = await userWithToken('cleo')
    assert.equal(await statusOf(admin.as(token)), 200)
    await admin.send('DELETE', `/v1/users/${userId}`)
    assert.equal(await statusOf(admin.as(token)), 401)
  })

  test('of a disabled service account', async () => {
    const account = await admin.send<{ id: string }>('POST', '/v1/service-accounts', { team_path: 'acme', name: 'bot' })
    const { token } = await admin.send<Created>('POST', '/v1/tokens', { name: 't', service_account_id: account.id })
    assert.equal(await statusOf(admin.as(token)), 200)
    await admin.send('PATCH', `/v1/service-accounts/${account.id}`, { disabled: true })
    assert.equal(await statusOf(admin.as(token)), 401)
  })

  test('expired, although it was used a moment ago', async () => {
    const token = await usedToken()
    await waitFor(
      'the token to expire',
      () => statusOf(admin.as(token)),
      (status) => status === 401,
    )

    /** A token that lives long enough for one use: longer where the machine was too slow for that. */
    async function usedToken(): Promise<string> {
      for (const lifeMs of [1500, 6000, 24_000, 96_000]) {
        const { id: userId } = await admin.send<{ id: string }>('POST', '/v1/users', { login: `dan-${lifeMs}` })
        await admin.send('POST', '/v1/grants', { subject: `user:${userId}`, role: 'viewer', team_path: 'acme' })
        const expiresAt = Date.now() + lifeMs
        const wanted = { name: 'dan', user_id: userId, expires_at: new Date(expiresAt).toISOString() }
        const made = await admin.ask('POST', '/v1/tokens', wanted)
        const { token: given } = made.status < 300 ? (made.body as Created) : { token: '' }
        const status = await statusOf(admin.as(given))
        if (status === 200) return given
        assert.ok(Date.now() > expiresAt, `${status} before its time was over: ${JSON.stringify(made.body)}`)
      }
      return assert.fail('no token lived long enough to be used')
    }
  })

  test('a grant that is taken is gone at once', async () => {
    const { userId, token } = await userWithToken('eve')
    assert.equal((await admin.as(token).ask('GET', '/v1/teams/acme')).status, 200)
    const grants = await admin.get<Created[]>(`/v1/grants?subject=user:${userId}`)
    for (const grant of grants) await admin.send('DELETE', `/v1/grants/${grant.id}`)
    assert.equal((await admin.as(token).ask('GET', '/v1/teams/acme')).status, 404)
  })
})

describe('a token that was shown once', () => {
  const enrol = async (token: string, key: string): Promise<{ status: number; body: string }> => {
    const response = await fetch(`${house.url}/v1/runners/enrollments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ team_path: 'acme', scopes: ['acme/**'] }),
    })
    return { status: response.status, body: await response.text() }
  }

  test('is repeated for a lost answer, and to nobody whose right is gone', async () => {
    const { userId, token } = await userWithToken('fay')
    const give = () =>
      admin.send<Created>('POST', '/v1/grants', { subject: `user:${userId}`, role: 'owner', team_path: 'acme' })
    const grant = await give()
    const first = await enrol(token, 'enrol')
    assert.equal(first.status, 201, first.body)
    const { token: shown } = JSON.parse(first.body) as Created
    assert.equal((await enrol(token, 'enrol')).body, first.body)
    await admin.send('DELETE', `/v1/grants/${grant.id}`)
    const refused = await enrol(token, 'enrol')
    assert.equal(refused.status, 403, refused.body)
    assert.ok(!refused.body.includes(shown))
    // The answer shows the token to no other subject that knows the key.
    const other = await enrol(admin.token, 'enrol')
    assert.ok(!other.body.includes(shown))
    await give()
    assert.equal((await enrol(token, 'enrol')).body, first.body)
  })
})

describe('what is no token', () => {
  const good = world.members.viewer.token
  const forms = [
    'Bearer',
    'Bearer ',
    `Basic ${Buffer.from(`x:${good}`).toString('base64')}`,
    good,
    `Bearer ${good} `.repeat(2).trim(),
    `Bearer ${good}x`,
    `Bearer ${good.slice(0, -1)}`,
    `Bearer ${good.toUpperCase()}`,
    `Bearer ${good.replace('sbxu_', 'sbxs_')}`,
    `Bearer ${good.replace('sbxu_', 'sbxr_')}`,
    `Bearer ${ADMIN_TOKEN.slice(0, -1)}`,
    `Bearer ${'x'.repeat(9000)}`,
    'Bearer null',
    'Bearer \u00ff\u00fe',
  ]
  for (const authorization of forms) {
    test(`${authorization.slice(0, 20)}... is 401`, async () => {
      const answer = await client.send({
        method: 'GET',
        path: '/v1/auth/me',
        headers: { authorization },
        body: undefined,
      })
      assert.equal(answer.status, 401, answer.body)
    })
  }

  test('a token in the query is not looked at', async () => {
    const path = `/v1/auth/me?access_token=${good}`
    const answer = await client.send({ method: 'GET', path, headers: {}, body: undefined })
    assert.equal(answer.status, 401)
  })

  test('too many of them are 429 for their sender, and never for a good one', async () => {
    const send = (authorization: string) =>
      client.send({ method: 'GET', path: '/v1/auth/me', headers: { authorization }, body: undefined })
    const statuses = new Set<number>()
    // Each second one more is let through, and a slow machine sends few in that.
    for (let at = 0; at < 60 || (at < 600 && !statuses.has(429)); at++) {
      statuses.add((await send(`Bearer guess-${at}`)).status)
    }
    assert.deepEqual([...statuses].sort(), [401, 429])
    assert.equal((await send(`Bearer ${good}`)).status, 200)
  })
})

describe('a secret is seen by the task that uses it and by nobody else', () => {
  test('no answer, no log line, no audit record and no log of ours holds one', async () => {
    const runner = await startRunner({ ...house, api: admin }, { name: 'real', scopes: ['acme/**'] })
    const [npm = ''] = world.planted
    const document = `name: leaky
secrets: { NPM: acme/npm }
steps:
  - name: leak
    tasks:
      - name: all-ways
        run: |
          echo "$NPM"; echo "$NPM" >&2; env; printf '%s' "$NPM" | base64 -w0; echo
          echo "key=$NPM" >> "$SIGNALBOX_OUTPUT"
          node -e 'console.log(JSON.stringify(process.env), encodeURIComponent(process.env.NPM))' || true
          echo "::error::$NPM"; exit 3
`
    await admin.send('POST', '/v1/pipelines', { team_path: 'acme', document })
    const started = await admin.send<{ run_id: string }>('POST', '/v1/pipelines/acme%2Fleaky/runs', {
      scope: 'acme/test',
    })
    const run = await runEnd(admin, started.run_id)
    assert.equal(run.status, 'failure')
    assert.ok((await runLog(admin, started.run_id)).some(({ line }) => line.includes('***')))
    assert.ok(npm.length > 10)
    const runnerOutput = runner.output()
    await runner.stop()

    const tokens = [world.admin.token, ADMIN_TOKEN, ...Object.values(world.members).map((member) => member.token)]
    const forms = world.planted.flatMap((value) => [value, Buffer.from(value).toString('base64').slice(0, -4)])
    const ids = new Map(world.ids).set('/v1/runs', [...(world.ids.get('/v1/runs') ?? []), started.run_id])
    for (const operation of await readOperations(house.url)) {
      if (operation.method !== 'GET') continue
      for (const path of fillWithIds(operation, ids)) {
        const headers = { authorization: `Bearer ${admin.token}` }
        const answer = await client.send({ method: 'GET', path, headers, body: undefined })
        assert.ok(answer.status < 500, `${path}: ${answer.status} ${answer.body}`)
        for (const secret of [...forms, ...tokens]) assert.ok(!answer.body.includes(secret), `${path} shows ${secret}`)
      }
    }
    for (const secret of [...forms, ...tokens]) {
      assert.ok(!house.output().includes(secret), 'in the log of the control plane')
      assert.ok(!runnerOutput.includes(secret), 'in the log of the runner')
    }
  })
})
