import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ExpectedCall, openForgeDouble } from '../testing.ts'
import { aKey, anApp } from './app/testing.ts'
import { deliveries } from './deliveries.ts'

/** GitHub's log of deliveries, as docs.github.com describes it. */

const KEY = aKey()
const NOW = Date.parse('2026-11-28T10:00:00.000Z')
const HOOK = { repository: 'acme/widgets', hookId: '9' }
const LOG = '/api/v3/repos/acme/widgets/hooks/9/deliveries'
const APP_LOG = '/api/v3/app/hook/deliveries'

const { ofApp, ofHook } = deliveries
assert.ok(ofApp !== null && ofHook !== null)

/** The ids of real deliveries do not fit into a number of JavaScript. */
function aDelivery(overrides = '') {
  return `{"id": 193892742014337024, "guid": "58474f00-b361-11eb-836d-0e4f3503ccbe", "delivered_at": "2026-11-28T09:59:00Z",
    "redelivery": false, "duration": 0.03, "status": "Service Unavailable", "status_code": 503, "event": "push",
    "action": null, "installation_id": 42, "repository_id": 9007199254740993${overrides}}`
}

const read = {
  attemptId: '193892742014337024',
  deliveryId: '58474f00-b361-11eb-836d-0e4f3503ccbe',
  deliveredAt: '2026-11-28T09:59:00.000Z',
  eventType: 'push',
  action: null,
  status: 503,
  repositoryId: '9007199254740993',
}

const get = (path: string, reply: ExpectedCall['reply']): ExpectedCall => ({ method: 'GET', path, reply })

describe('the log of an app', () => {
  test('is read page by page, the newest first', async (t) => {
    const link = (url: string) => ({ link: `<${url}${APP_LOG}?per_page=100&cursor=v1_36>; rel="next"` })
    const lost = aDelivery(', "status_code": 0, "action": "opened", "repository_id": null').replace(
      '"status_code": 503, ',
      '',
    )
    const double = await openForgeDouble(t, [
      get(`${APP_LOG}?per_page=100`, (url) => ({
        status: 200,
        headers: link(url),
        body: `[${aDelivery()}, {"id": 1}, 7]`,
      })),
      get(`${APP_LOG}?per_page=100&cursor=v1_36`, { status: 200, body: `[${lost}]` }),
    ])
    const connection = anApp(double.url, NOW, [KEY])
    assert.deepEqual(await ofApp.list(connection, null), {
      outcome: 'found',
      value: { deliveries: [read], next: 'v1_36' },
    })
    const second = { ...read, status: null, action: 'opened', repositoryId: null }
    assert.deepEqual(await ofApp.list(connection, 'v1_36'), {
      outcome: 'found',
      value: { deliveries: [second], next: null },
    })
  })

  test('has a delivery sent again', async (t) => {
    const path = `${APP_LOG}/193892742014337024/attempts`
    const double = await openForgeDouble(t, [{ method: 'POST', path, reply: { status: 202, body: {} } }])
    assert.deepEqual(await ofApp.sendAgain(anApp(double.url, NOW, [KEY]), read.attemptId), {
      outcome: 'found',
      value: null,
    })
  })
})

describe('the log of a webhook', () => {
  test('is read with the token of the source, and has a delivery sent again', async (t) => {
    const headers = { authorization: 'Bearer ghp_secret' }
    const double = await openForgeDouble(t, [
      { ...get(`${LOG}?per_page=100`, { status: 200, body: `[${aDelivery()}]` }), headers },
      { method: 'POST', path: `${LOG}/193892742014337024/attempts`, headers, reply: { status: 202, body: {} } },
    ])
    const connection = double.connection('ghp_secret')
    assert.deepEqual(await ofHook.list(connection, HOOK, null), {
      outcome: 'found',
      value: { deliveries: [read], next: null },
    })
    assert.deepEqual(await ofHook.sendAgain(connection, HOOK, read.attemptId), { outcome: 'found', value: null })
  })

  test('gives no cursor of another host, and asks with none of another form', async (t) => {
    const links = [
      '<https://evil.example/x?cursor=1>; rel="next"',
      '</api/v3/x?cursor=..%2F..%2Fx%3F>; rel="next"',
      '</api/v3/x>; rel="next"',
    ]
    const double = await openForgeDouble(
      t,
      links.map((link) => get(`${LOG}?per_page=100`, { status: 200, headers: { link }, body: '[]' })),
    )
    const connection = double.connection('ghp_secret')
    for (const _ of links) {
      assert.deepEqual(await ofHook.list(connection, HOOK, null), {
        outcome: 'found',
        value: { deliveries: [], next: null },
      })
    }
    for (const cursor of ['', 'a&b', '../x', 'a b', 'x'.repeat(501)]) {
      assert.deepEqual(await ofHook.list(connection, HOOK, cursor), { outcome: 'not_found' })
    }
    for (const attempt of ['', '1/../2', 'x', '1'.repeat(21)]) {
      assert.deepEqual(await ofHook.sendAgain(connection, HOOK, attempt), { outcome: 'not_found' })
    }
  })

  test('that cannot be read says why', async (t) => {
    const double = await openForgeDouble(t, [
      get(`${LOG}?per_page=100`, { status: 200, body: '{}' }),
      get(`${LOG}?per_page=100`, { status: 404, body: { message: 'Not Found' } }),
      get(`${LOG}?per_page=100`, { status: 403, body: { message: 'Resource not accessible' } }),
      {
        method: 'POST',
        path: `${LOG}/1/attempts`,
        reply: { status: 422, body: { message: 'The delivery is too old' } },
      },
    ])
    const connection = double.connection('ghp_secret')
    const first = await ofHook.list(connection, HOOK, null)
    assert.equal(first.outcome === 'failed' && first.cause, 'invalid')
    assert.deepEqual(await ofHook.list(connection, HOOK, null), { outcome: 'not_found' })
    const refused = await ofHook.list(connection, HOOK, null)
    assert.equal(refused.outcome === 'failed' && refused.cause, 'refused')
    const old = await ofHook.sendAgain(connection, HOOK, '1')
    assert.match(old.outcome === 'failed' ? old.reason : '', /says: "The delivery is too old"/)
  })
})
