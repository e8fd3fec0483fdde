import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ExpectedCall, openForgeDouble } from '../testing.ts'
import { deliveries } from './deliveries.ts'

/** The log of a project's webhook, as docs.gitlab.com/api/project_webhooks describes it. */

const HOOK = { repository: 'acme/web/widgets', hookId: '9' }
const LOG = '/api/v4/projects/acme%2Fweb%2Fwidgets/hooks/9/events'
const TOKEN = 'glpat-secret'
const { ofHook } = deliveries
assert.ok(ofHook !== null)

function anEvent(overrides: Record<string, unknown> = {}) {
  return {
    id: 1,
    url: 'https://signalbox.example.com/hook',
    trigger: 'push_hooks',
    request_headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': '3a427872-00df-429c-9bc9-a9475de2efe4',
      'X-Gitlab-Event': 'Push Hook',
      'X-Gitlab-Webhook-UUID': '3c5c0404-c866-44bc-a5f6-452bb1bfc76e',
      'X-Gitlab-Token': '[REDACTED]',
    },
    request_data: { object_kind: 'push', ref: 'refs/heads/main', project_id: 7, project: { id: 7 } },
    response_headers: { Date: 'Sat, 28 Nov 2026 09:59:00 GMT', 'Content-Length': '16' },
    response_body: '',
    execution_duration: 1.09,
    response_status: '200',
    ...overrides,
  }
}

const read = {
  attemptId: '1',
  deliveryId: '3a427872-00df-429c-9bc9-a9475de2efe4',
  deliveredAt: '2026-11-28T09:59:00.000Z',
  eventType: 'push',
  action: null,
  status: 200,
  repositoryId: '7',
}

const get = (page: number, reply: ExpectedCall['reply']): ExpectedCall => ({
  method: 'GET',
  path: `${LOG}?per_page=20&page=${page}`,
  headers: { authorization: `Bearer ${TOKEN}` },
  reply,
})

describe('the log of a webhook', () => {
  test('is read page by page, with the id by which the delivery itself is known', async (t) => {
    const lost = anEvent({
      id: 2,
      response_status: 'internal error',
      response_headers: {},
      request_headers: { 'webhook-id': 'msg_1', 'Idempotency-Key': 'other' },
      request_data: { object_kind: 'merge_request', object_attributes: { action: 'open' }, project: { id: 8 } },
    })
    const double = await openForgeDouble(t, [
      get(1, { status: 200, headers: { 'x-next-page': '2' }, body: [anEvent(), { id: 3 }, 7] }),
      get(2, { status: 200, headers: { 'x-next-page': '' }, body: [lost] }),
    ])
    const connection = double.connection(`oauth2:${TOKEN}`)
    assert.deepEqual(await ofHook.list(connection, HOOK, null), {
      outcome: 'found',
      value: { deliveries: [read], next: '2' },
    })
    const second = {
      attemptId: '2',
      deliveryId: 'msg_1',
      deliveredAt: null,
      eventType: 'merge_request',
      action: 'open',
      status: null,
      repositoryId: '8',
    }
    assert.deepEqual(await ofHook.list(connection, HOOK, '2'), {
      outcome: 'found',
      value: { deliveries: [second], next: null },
    })
  })

  test('names no time that is none', async (t) => {
    for (const date of ['soon', 'Sat, 28 Nov 2026 09:59:00 GMT\r\nx: y', 7, ['Sat']]) {
      const double = await openForgeDouble(t, [
        get(1, { status: 200, body: [anEvent({ response_headers: { Date: date } })] }),
      ])
      const listed = await ofHook.list(double.connection(TOKEN), HOOK, null)
      assert.equal(listed.outcome === 'found' && listed.value.deliveries[0]?.deliveredAt, null)
    }
  })

  test('has a delivery sent again, at most as often as GitLab allows', async (t) => {
    const path = `${LOG}/1/resend`
    const double = await openForgeDouble(t, [
      { method: 'POST', path, reply: { status: 201, body: { response_status: 200 } } },
      { method: 'POST', path, reply: { status: 429, headers: { 'retry-after': '48' }, body: {} } },
      { method: 'POST', path, reply: { status: 422, body: { message: '422 Internal error' } } },
    ])
    const send = () => ofHook.sendAgain(double.connection(TOKEN), HOOK, '1')
    assert.deepEqual(await send(), { outcome: 'found', value: null })
    const limited = await send()
    assert.equal(limited.outcome === 'failed' && limited.retryAfterMs, 48_000)
    const failed = await send()
    assert.match(failed.outcome === 'failed' ? failed.reason : '', /says: "422 Internal error"/)
  })

  test('of an older GitLab, or with ids that are none, is not found', async (t) => {
    const double = await openForgeDouble(t, [get(1, { status: 404, body: { error: '404 Not Found' } })])
    const connection = double.connection(TOKEN)
    assert.deepEqual(await ofHook.list(connection, HOOK, null), { outcome: 'not_found' })
    for (const other of ['', '0', '-1', '1&x=y', '../1']) {
      assert.deepEqual(await ofHook.list(connection, HOOK, other), { outcome: 'not_found' })
      assert.deepEqual(await ofHook.sendAgain(connection, HOOK, other), { outcome: 'not_found' })
    }
  })

  test('that is no list fails', async (t) => {
    const double = await openForgeDouble(t, [get(1, { status: 200, body: { message: 'x' } })])
    const answer = await ofHook.list(double.connection(TOKEN), HOOK, null)
    assert.equal(answer.outcome === 'failed' && answer.cause, 'invalid')
  })
})

test('a connection has no log of its own', () => assert.equal(deliveries.ofApp, null))
