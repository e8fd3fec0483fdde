import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, afterEach, before, describe, test } from 'node:test'
import { aPushPayload, tokenDelivery } from '../../../adapters/forges/gitlab/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { aConnectedSource, deliver, SECRET, TEAM } from '../sources/testing.ts'
import { openRecovery } from './testing/open-recovery.ts'

/** GitLab's log of a project's webhook names no time where no answer came. */

const DAY_MS = 86_400_000
const EVENTS = '/api/v4/projects/acme%2Fwidgets/hooks/7/events'

type Sent = ReturnType<typeof tokenDelivery>
interface Logged {
  readonly id: number
  readonly answeredAt: Date | null
  readonly delivery: Sent
}

/** Newest first. */
let log: Logged[] = []
let asked: number[] = []
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1')
  const reply = (status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  if (pathname === EVENTS) return reply(200, log.map(describeEvent))
  const id = Number(/^\/(\d+)\/resend$/.exec(pathname.replace(EVENTS, ''))?.[1])
  const logged = log.find((each) => each.id === id)
  if (!logged) return reply(404, { message: '404 Not found' })
  asked.push(id)
  return void arrive(logged.delivery).then(({ status }) => reply(201, { response_status: status }))
})

function describeEvent({ id, answeredAt, delivery }: Logged) {
  return {
    id,
    trigger: 'push_hooks',
    request_headers: { 'Idempotency-Key': delivery.headers['idempotency-key'], 'X-Gitlab-Event': 'Push Hook' },
    request_data: { object_kind: 'push', project: { id: 15 } },
    response_headers: answeredAt ? { Date: answeredAt.toUTCString() } : {},
    response_status: answeredAt ? '202' : 'internal error',
  }
}

const house = await openRecovery()
const { causes, clock, look } = house
let source: { readonly id: string; readonly url: string }
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  const db = causes.kit.database.kysely
  await aSecret(causes.kit, db, { teamPath: TEAM, name: 'hooks', value: 'glpat-token' })
  source = await aConnectedSource(
    causes,
    {
      name: 'gitlab',
      provider: 'gitlab',
      auth_mode: 'token',
      base_url: `http://127.0.0.1:${address.port}`,
      checkout_credential_ref: `secret:${TEAM}/hooks`,
    },
    { name: 'gitlab' },
  )
  const place = { source_id: source.id, repository_key: 'acme/widgets', repository: 'acme/widgets', hook_id: '7' }
  await db
    .insertInto('source_connections')
    .values({ ...place, connected_at: clock.now(), checked_at: clock.now(), differences: [] })
    .execute()
})
after(async () => {
  await house.close()
  server.closeAllConnections()
  server.close()
})
afterEach(async () => {
  await house.forget()
  log = []
  asked = []
})

let made = 0
function aDelivery(): Sent & { readonly deliveryId: string } {
  made += 1
  const deliveryId = randomUUID()
  const payload = aPushPayload({ after: made.toString(16).padStart(40, '0') })
  return { ...tokenDelivery(payload, { secret: SECRET, deliveryId }), deliveryId }
}

/** Nobody answered it. */
function lost(delivery = aDelivery()): string {
  log.unshift({ id: made, answeredAt: null, delivery })
  return delivery.deliveryId
}

/** It comes now; GitLab logs the answer under an id of its own. */
async function arrive(delivery: Sent) {
  const answered = await deliver(causes, source.url, delivery)
  log.unshift({ id: 1000 + log.length, answeredAt: clock.now(), delivery })
  return answered
}

const listed = () => house.list(`/v1/git-webhook-sources/${source.id}/recoveries?limit=20`)
const marks = async () =>
  (await house.list(`/v1/git-webhook-sources/${source.id}/deliveries?limit=20`)).map((each) => [
    each['delivery_id'],
    each['recovered'],
  ])

describe('a delivery without a time', () => {
  test('comes back once, and says so', async () => {
    const id = lost()
    await look()
    await look()
    assert.deepEqual([asked.length, (await marks())[0]], [1, [id, true]])
    await clock.advance(DAY_MS)
    await look()
    assert.equal(asked.length, 1)
  })

  test('that a person had sent again long before a look is not missing', async () => {
    const delivery = aDelivery()
    lost(delivery)
    // What GitLab logged of it stands on another page.
    await deliver(causes, source.url, delivery)
    await clock.advance(DAY_MS)
    await look()
    assert.deepEqual([asked, (await marks())[0]], [[], [delivery.deliveryId, false]])
  })

  test('that this service took, and could not answer any more, is not missing for as long as GitLab keeps it', async () => {
    const delivery = aDelivery()
    lost(delivery)
    assert.equal((await deliver(causes, source.url, delivery)).status, 202)
    await clock.advance(4 * DAY_MS)
    await look()
    assert.deepEqual([asked, await listed(), (await marks())[0]], [[], [], [delivery.deliveryId, false]])
  })

  test('costs one search of the time in which it may have come, not one at each look', async () => {
    lost()
    await look()
    await look()
    await clock.advance(DAY_MS)
    house.reads.length = 0
    await look()
    assert.deepEqual(house.reads, [])
    const delivery = aDelivery()
    await arrive(delivery)
    await look()
    const answered = Math.floor(clock.now().getTime() / 1000) * 1000
    assert.deepEqual(house.reads, [{ ids: [delivery.deliveryId], since: new Date(answered - 15 * 60_000) }])
  })

  test('is not asked for anew when GitLab keeps it longer than this service', async () => {
    lost()
    await look()
    await look()
    await clock.advance((causes.kit.config.deliveryRecordRetentionDays + 7) * DAY_MS)
    await house.run('recovery.drop-old')
    await look()
    assert.equal(asked.length, 1)
  })
})
