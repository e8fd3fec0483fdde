import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { apps } from './index.ts'
import { aKey, anApp, readJwt } from './testing.ts'

/** How the app proves itself, at a server that checks a JWT as GitHub does. */

const KEY = aKey()
const NEWER = aKey()
const NOW = Date.parse('2026-11-28T10:00:00.000Z')

interface Checked {
  readonly url: string
  /** The outcome of each call, in turn. */
  readonly calls: readonly string[]
}

/** Takes one key, and a time of its own. */
async function openGithub(t: TestContext, { key, now }: { key: string; now: number }): Promise<Checked> {
  const calls: string[] = []
  const server = createServer((request, response) => {
    const jwt = readJwt(request.headers.authorization, key)
    const seconds = Math.floor(now / 1000)
    const judged = judge()
    calls.push(judged)
    response.sendDate = false
    response.writeHead(judged === 'ok' ? 200 : 401, {
      'content-type': 'application/json',
      date: new Date(now).toUTCString(),
    })
    response.end(JSON.stringify(judged === 'ok' ? { id: 7 } : { message: judged }))

    function judge(): string {
      if (jwt === undefined) return 'A JSON web token could not be decoded'
      const { iat, exp, iss } = jwt.claims
      if (iss !== '7' || jwt.header.alg !== 'RS256') return "'Issuer' claim ('iss') must be an Integer"
      if (iat > seconds) return "'Issued at' claim ('iat') must be an Integer representing the time of the assertion"
      if (exp <= seconds) return "'Expiration time' claim ('exp') must be in the future"
      return exp > seconds + 600 || exp - iat > 600 ? "'Expiration time' claim ('exp') is too far in the future" : 'ok'
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return { url: `http://127.0.0.1:${address.port}`, calls }
}

describe('the JWT of an app', () => {
  for (const skew of [-29, -10, 0, 10, 59].map((seconds) => seconds * 1000)) {
    test(`is taken at once where our clock differs by ${skew} ms`, async (t) => {
      const github = await openGithub(t, { key: KEY, now: NOW })
      const found = await apps.find(anApp(github.url, NOW + skew, [KEY]))
      assert.equal(found.outcome === 'found' && found.value.skewMs, -skew || 0)
      assert.deepEqual(github.calls, ['ok'])
    })
  }

  for (const minutes of [-600, -20, 5, 600]) {
    test(`is signed once more with the provider's time where our clock is ${minutes} minutes off`, async (t) => {
      const github = await openGithub(t, { key: KEY, now: NOW })
      const found = await apps.find(anApp(github.url, NOW + minutes * 60_000, [KEY]))
      assert.equal(found.outcome === 'found' && found.value.skewMs, -minutes * 60_000)
      assert.deepEqual(github.calls.slice(1), ['ok'])
      assert.match(github.calls[0] ?? '', /claim/)
    })
  }

  test('is of the older key where the provider refuses the newer, and of a skewed clock too', async (t) => {
    for (const [skew, calls] of [
      [0, 2],
      [3_600_000, 3],
    ] as const) {
      const github = await openGithub(t, { key: KEY, now: NOW })
      const found = await apps.find(anApp(github.url, NOW + skew, [NEWER, KEY]))
      assert.equal(found.outcome, 'found')
      assert.equal(github.calls.length, calls)
      assert.equal(github.calls.at(-1), 'ok')
    }
  })

  test('is of the newer key alone where the provider takes it', async (t) => {
    const github = await openGithub(t, { key: NEWER, now: NOW })
    assert.equal((await apps.find(anApp(github.url, NOW, [NEWER, KEY]))).outcome, 'found')
    assert.deepEqual(github.calls, ['ok'])
  })

  test('passes over a key that cannot be used', async (t) => {
    const github = await openGithub(t, { key: KEY, now: NOW })
    assert.equal((await apps.find(anApp(github.url, NOW, ['no key', KEY]))).outcome, 'found')
  })

  test('that no key proves is refused, after a bounded number of calls', async (t) => {
    const github = await openGithub(t, { key: aKey(), now: NOW })
    const answer = await apps.find(anApp(github.url, NOW + 3_600_000, [NEWER, KEY]))
    const reason = 'GitHub refused each private key of the app (401).'
    assert.deepEqual(answer, { outcome: 'failed', reason, retry: false, cause: 'refused', status: 401 })
    assert.equal(github.calls.length, 3)
  })

  test('without a key that can be used asks nobody', async (t) => {
    const github = await openGithub(t, { key: KEY, now: NOW })
    for (const keys of [[], ['no key'], [aKey(1024)]]) {
      const answer = await apps.find(anApp(github.url, NOW, keys))
      assert.ok(answer.outcome === 'failed' && !answer.retry && answer.cause === undefined)
      assert.match(answer.reason, /No private key .* can be used/)
    }
    assert.deepEqual(github.calls, [])
  })

  test('is not sent over plain http', async () => {
    const answer = await apps.find(anApp('http://github.example', NOW, [KEY]))
    assert.match(answer.outcome === 'failed' ? answer.reason : '', /plain http/)
  })
})
