import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { type Browser, signIn } from '../house/browser.ts'
import { type House, makeDataDir, startHouse } from '../house/house.ts'
import { createRawClient, type RawAnswer } from '../house/raw-http.ts'
import { makePipeline, makeTeam } from '../house/team.ts'

const PIPELINE = `name: waiting
steps:
  - name: one
    tasks:
      - { name: only, run: "true" }
`
const PASSWORD = 'correct horse battery'
const NEVER_ENDED_MS = 60_000
const LATE_MS = 5000

const dataDir = makeDataDir()
const ports = { port: await freePort(), runnerPort: await freePort() }
const start = (): Promise<House> => startHouse({ dataDir, ports, env: { BASE_URL: `http://127.0.0.1:${ports.port}` } })
let house = await start()
const client = createRawClient(house.url)
let run = ''
let emergency = ''
let startPath = ''
let victim: Browser
after(async () => {
  client.close()
  await house.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function aUser(login: string): Promise<string> {
  const { api } = house
  const user = await api.send<{ id: string }>('POST', '/v1/users', { login, password: PASSWORD })
  await api.send('POST', '/v1/grants', { subject: `user:${user.id}`, role: 'owner', team_path: 'acme' })
  return user.id
}

before(async () => {
  const { api } = house
  const team = await makeTeam(api, 'acme')
  const pipeline = await makePipeline(api, team, PIPELINE)
  startPath = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
  run = (await api.send<{ run_id: string }>('POST', startPath, { scope: team.scope })).run_id
  await api.send('POST', '/v1/teams/acme/environments', { name: 'other' })
  const declared = { scope: 'acme/other', reason: 'a test' }
  emergency = (await api.send<{ id: string }>('POST', '/v1/emergencies', declared)).id
  await aUser('victim')
  victim = await signIn(house.url, 'victim', PASSWORD)
})

/** With the cookie of the victim, as the browser would send it for a page elsewhere. */
function forge(path: string, headers: Readonly<Record<string, string>>, body = ''): Promise<RawAnswer> {
  return client.send({
    method: 'POST',
    path,
    headers: { cookie: victim.cookie, ...headers },
    body: body === '' ? undefined : Buffer.from(body),
  })
}

describe('a page of another site, opened by somebody who is signed in', () => {
  const evil = { origin: 'https://evil.example' }
  const senders: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['over https or on loopback', { ...evil, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['on a host beside ours', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
    ['over plain http, where browsers say less', evil],
    ['in a sandbox', { origin: 'null' }],
    ['in a browser that says nothing', {}],
  ]
  for (const [where, headers] of senders) {
    test(`${where}: starts, cancels, reruns and lifts nothing, by an empty request or a form`, async () => {
      const listed = await house.api.get<unknown[]>('/v1/runs?limit=500')
      const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
      const text = { ...headers, 'content-type': 'text/plain' }
      for (const path of [
        `/v1/runs/${run}/cancel`,
        `/v1/runs/${run}/rerun`,
        `/v1/emergencies/${emergency}/lift`,
        startPath,
      ]) {
        for (const answer of [
          await forge(path, { ...headers, 'content-length': '0' }),
          await forge(path, form, 'scope=acme%2Ftest'),
          await forge(path, text, '{"scope":"acme/test"}'),
        ]) {
          assert.equal(answer.status, 403, answer.body)
          assert.equal(JSON.parse(answer.body).code, 'cross_site')
        }
      }
      const { status } = await house.api.get<{ status: string }>(`/v1/runs/${run}/status`)
      assert.equal(status, 'queued')
      assert.equal((await house.api.get<unknown[]>('/v1/runs?limit=500')).length, listed.length)
      const { lifted_at: lifted } = await house.api.get<{ lifted_at: string | null }>(`/v1/emergencies/${emergency}`)
      assert.equal(lifted, null)
    })
  }

  test('signs nobody in, and nobody out', async () => {
    const body = JSON.stringify({ login: 'victim', password: PASSWORD })
    const headers = { ...evil, 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' }
    const signedIn = await forge('/v1/sessions', headers, body)
    assert.deepEqual([signedIn.status, JSON.parse(signedIn.body).code], [403, 'cross_site'])
    const out = await client.send({
      method: 'DELETE',
      path: '/v1/sessions/current',
      headers: { cookie: victim.cookie, ...evil },
      body: undefined,
    })
    assert.equal(out.status, 403)
    assert.equal((await victim.send('GET', '/v1/auth/me')).status, 200)
  })

  test('while pages of ours do all of it, with Origin alone too', async () => {
    const own = { cookie: victim.cookie, origin: house.url, 'content-length': '0' }
    const answer = await client.send({ method: 'POST', path: `/v1/runs/${run}/rerun`, headers: own, body: undefined })
    assert.ok(answer.status < 300, answer.body)
    assert.equal((await victim.send('POST', startPath, { scope: 'acme/test' })).status, 202)
  })
})

describe('what follows by a session', () => {
  /** Of one run, and of all that the person may see. */
  const STREAMS = { run: () => `/v1/runs/${run}/events`, live: () => '/v1/live?topics=runs:acme,approvals' } as const

  /** Answers when the stream is open; `over` is the code of its last event. */
  async function follow(browser: Browser, path: string): Promise<{ readonly over: Promise<string | undefined> }> {
    const response = await fetch(`${house.url}${path}`, {
      headers: { cookie: browser.cookie },
      signal: AbortSignal.timeout(NEVER_ENDED_MS),
    })
    assert.equal(response.status, 200)
    const over = response.text().then((text) => /event: closed\ndata: {"code":"(\w+)"/.exec(text)?.[1])
    over.catch(() => undefined)
    return { over }
  }

  const send = (method: string, path: string, body?: object): Promise<unknown> => house.api.send(method, path, body)
  const ends: readonly (readonly [string, (user: string, browser: Browser) => Promise<unknown>])[] = [
    ['signs out', (_user, browser) => browser.send('DELETE', '/v1/sessions/current')],
    ['is signed out by an administrator', (user) => send('DELETE', `/v1/users/${user}/sessions`)],
    ['gets another password', (user) => send('PATCH', `/v1/users/${user}`, { password: 'another long password' })],
    ['is disabled', (user) => send('PATCH', `/v1/users/${user}`, { disabled: true })],
    ['is deleted', (user) => send('DELETE', `/v1/users/${user}`)],
  ]
  for (const [at, [what, end]] of ends.entries()) {
    test(`ends within 5 s after its user ${what}`, async () => {
      const user = await aUser(`follower-${at}`)
      const browser = await signIn(house.url, `follower-${at}`, PASSWORD)
      const streams = await Promise.all(
        Object.entries(STREAMS).map(async ([stream, path]) => ({ stream, ...(await follow(browser, path())) })),
      )
      await end(user, browser)
      const ended = performance.now()
      await Promise.all(
        streams.map(async ({ stream, over }) => {
          assert.equal(await over, 'unauthenticated', stream)
          assert.ok(performance.now() - ended < LATE_MS, what)
        }),
      )
      assert.equal((await browser.send('GET', '/v1/auth/me')).status, 401)
    })
  }
})

test('a session is there as soon as it was answered: also when the control plane is killed then', async () => {
  const browser = await signIn(house.url, 'victim', PASSWORD)
  await house.kill('SIGKILL')
  house = await start()
  const answer = await browser.send('GET', '/v1/auth/me')
  assert.equal(answer.status, 200)
  const me: { session_id: string } = JSON.parse(await answer.text())
  assert.equal(me.session_id, browser.sessionId)
  assert.equal((await victim.send('GET', '/v1/auth/me')).status, 200)
})
