import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { ask, startReceiver } from '../testing.ts'
import { startWithApp } from './testing.ts'

/** What a test can have go wrong. */
describe('the fake GitHub, spoilt', () => {
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let parts: Awaited<ReturnType<typeof startWithApp>>
  let token: string
  const branches = () => `GET ${parts.api}/repos/acme/shop/branches`

  before(async () => {
    receiver = await startReceiver()
    parts = await startWithApp(receiver.url)
    const made = await ask(`POST ${parts.api}/app/installations/${parts.installation.id}/access_tokens`, {
      token: parts.jwt(),
    })
    token = made.body.token
  })
  after(async () => {
    await parts.forge.close()
    receiver.close()
  })
  beforeEach(async () => {
    parts.forge.faults.clear()
    parts.forge.mailbox.heal()
    await parts.forge.mailbox.settle()
    receiver.answerWith(202)
    receiver.arrived.length = 0
  })

  test('answers another status as often as told, of the calls that fit', async () => {
    const set = parts.forge.faults.set('GET /repos/*/*/branches', { kind: 'refuse', status: 502 }, 1)
    assert.equal((await ask(branches(), { token })).status, 502)
    assert.equal((await ask(branches(), { token })).status, 200)
    assert.equal(set.hits, 1)
    parts.forge.faults.set('POST /repos/**', { kind: 'refuse', status: 502 })
    assert.equal((await ask(branches(), { token })).status, 200)
  })

  test('limits the rate in both ways', async () => {
    parts.forge.faults.set('/repos/**', { kind: 'rate_limit', status: 429, retryAfterS: 7 }, 1)
    const secondary = await ask(branches(), { token })
    assert.deepEqual([secondary.status, secondary.headers.get('retry-after')], [429, '7'])
    parts.forge.faults.set('/repos/**', { kind: 'rate_limit', status: 403, resetInS: 30 }, 1)
    const primary = await ask(branches(), { token })
    assert.deepEqual([primary.status, primary.headers.get('x-ratelimit-remaining')], [403, '0'])
    assert.ok(Number(primary.headers.get('x-ratelimit-reset')) > Date.now() / 1000 + 20)
  })

  test('loses an answer after the call took effect, and drops a call before', async () => {
    const repository = parts.forge.world.byName.get('acme/shop')
    const sha = repository?.refs.get('refs/heads/main') ?? ''
    const line = `POST ${parts.api}/repos/acme/shop/statuses/${sha}`
    const body = { state: 'success', context: 'lost' }
    parts.forge.faults.set('POST /repos/*/*/statuses/*', { kind: 'lost' }, 1)
    await assert.rejects(ask(line, { token, body }))
    assert.equal(repository?.statuses.length, 1)
    parts.forge.faults.set('POST /repos/*/*/statuses/*', { kind: 'reset' }, 1)
    await assert.rejects(ask(line, { token, body }))
    assert.equal(repository?.statuses.length, 1)
  })

  test('cuts a body, breaks its JSON, redirects, and never ends its pages', async () => {
    parts.forge.faults.set('/repos/**', { kind: 'cut' }, 1)
    await assert.rejects(ask(branches(), { token }))
    parts.forge.faults.set('/repos/**', { kind: 'malformed' }, 1)
    await assert.rejects(ask(branches(), { token }), SyntaxError)
    parts.forge.faults.set('/repos/**', { kind: 'redirect', to: 'http://169.254.169.254/' }, 1)
    const led = await fetch(branches().slice(4), { redirect: 'manual' })
    assert.deepEqual([led.status, led.headers.get('location')], [302, 'http://169.254.169.254/'])
    parts.forge.faults.set('/repos/**', { kind: 'endless' })
    const far = await ask(`${branches()}?page=7`, { token })
    assert.equal(far.body.length, 1)
    assert.match(far.headers.get('link') ?? '', /[?&]page=8[^>]*>; rel="next"/)
  })

  test('sends a body of a gibibyte, until the client leaves', async () => {
    parts.forge.faults.set('/repos/**', { kind: 'huge' }, 1)
    const ending = new AbortController()
    const response = await fetch(branches().slice(4), { signal: ending.signal })
    assert.equal(response.headers.get('content-length'), String(1024 ** 3))
    const first = await response.body?.getReader().read()
    assert.ok(first?.value && first.value.length > 0)
    ending.abort()
  })

  test('answers late', async () => {
    parts.forge.faults.set('/repos/**', { kind: 'slow', ms: 60 }, 1)
    const begun = performance.now()
    assert.equal((await ask(branches(), { token })).status, 200)
    assert.ok(performance.now() - begun >= 55)
  })

  test('signs each delivery over its bytes, and logs how it was answered', async () => {
    receiver.answerWith(500)
    await parts.forge.push('acme/shop', { files: { 'a.txt': 'ä\n' } })
    await parts.forge.mailbox.settle()
    const [arrived] = receiver.arrived
    assert.ok(arrived)
    const digest = createHmac('sha256', parts.app.hook.secret ?? '')
      .update(arrived.raw)
      .digest('hex')
    assert.equal(arrived.headers['x-hub-signature-256'], `sha256=${digest}`)
    assert.equal(arrived.payload.commits[0].added[0], 'a.txt')
    const log = await ask(`GET ${parts.api}/app/hook/deliveries?per_page=1`, { token: parts.jwt() })
    assert.deepEqual([log.body[0].guid, log.body[0].status_code], [arrived.headers['x-github-delivery'], 500])
    assert.match(log.headers.get('link') ?? '', /cursor=v1_1>; rel="next"/)
    receiver.answerWith(202)
    await ask(`POST ${parts.api}/app/hook/deliveries/${log.body[0].id}/attempts`, { token: parts.jwt() })
    await parts.forge.mailbox.settle()
    assert.equal(receiver.arrived.length, 2)
    assert.deepEqual(receiver.arrived[1]?.raw, arrived.raw)
    assert.equal(receiver.arrived[1]?.headers['x-github-delivery'], arrived.headers['x-github-delivery'])
  })

  test('loses, doubles and mixes up webhooks', async () => {
    const { mailbox } = parts.forge
    mailbox.spoil('push', 'lose', 1)
    mailbox.spoil('push', 'duplicate', 1)
    await parts.forge.push('acme/shop')
    await parts.forge.push('acme/shop')
    await mailbox.settle()
    assert.equal(new Set(receiver.arrived.map(({ headers }) => headers['x-github-delivery'])).size, 1)
    assert.equal(receiver.arrived.length, 2)
    const failed = await ask(`GET ${parts.api}/app/hook/deliveries?status=failure`, { token: parts.jwt() })
    assert.equal(failed.body[0].status_code, 502)

    receiver.arrived.length = 0
    mailbox.spoil('push', 'hold')
    const pushed = [await parts.forge.push('acme/shop'), await parts.forge.push('acme/shop')]
    await mailbox.settle()
    assert.equal(receiver.arrived.length, 0)
    mailbox.release('newest_first')
    await mailbox.settle()
    assert.deepEqual(
      receiver.arrived.map(({ payload }) => payload.after),
      pushed.map((one) => one.after).toReversed(),
    )
  })

  test('tells nobody of what an installation does not have', async () => {
    await parts.forge.addRepository('acme/other', { branches: ['main'] })
    await parts.forge.push('acme/other')
    parts.forge.suspend(parts.installation)
    await parts.forge.push('acme/shop')
    parts.forge.unsuspend(parts.installation)
    await parts.forge.mailbox.settle()
    assert.deepEqual(
      receiver.arrived.map(({ headers, payload }) => `${String(headers['x-github-event'])} ${payload.action}`),
      ['installation suspend', 'installation unsuspend'],
    )
  })
})
