import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { FORGES, type Forge } from '#adapters/forges'
import { createTestDatabase } from '#platform/testing'
import { changed, fixturesOf, type Path, proofOf } from '../../../adapters/forges/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { aSource, deliver, openCauses, SECRET, TEAM } from './testing.ts'

const PATH = '/v1/git-webhook-sources'
/** Of a form that every mode takes. */
const LOGIN = `signalbox:${SECRET}`
const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
after(() => causes.close())
const db = testDatabase.database.kysely
await aSecret(causes.kit, db, { teamPath: TEAM, name: 'login', value: LOGIN })

/** The provider of a source, in its first auth mode. */
function provedBy({ id, webhooks }: Forge) {
  return { provider: id, auth_mode: webhooks.authModes[0], credential_ref: `secret:${TEAM}/login` }
}

for (const forge of FORGES) {
  describe(`an event of ${forge.title} that nothing can use`, () => {
    const fixtureOf = (wanted: 'unmapped' | 'ping') =>
      fixturesOf(forge).find(({ reading }) => {
        const { kind, cause } = Object(reading)
        return kind === 'nothing_runnable' && cause === wanted
      })
    const unmapped = fixtureOf('unmapped')
    const ping = fixtureOf('ping')

    async function connect(acknowledge: boolean, name = `${forge.id} ${acknowledge}`): Promise<string> {
      const source = { name, ...provedBy(forge), acknowledge_unmapped: acknowledge }
      const created = await causes.call('POST', PATH, aSource(source))
      assert.equal(created.status, 201, created.text)
      return String(created.body['id'])
    }

    function send(id: string, fixture = unmapped) {
      const body = Buffer.from(JSON.stringify(fixture?.payload))
      // A time that was signed once is long over.
      const kept = Object.entries(fixture?.headers ?? {}).filter(([name]) => !name.startsWith('webhook-'))
      const texts = kept.map(([name, value]) => [name, String(value)])
      const headers = { ...Object.fromEntries(texts), ...proofOf(forge, body, LOGIN) }
      return deliver(causes, `/v1/git/webhooks/${id}`, { headers, body })
    }

    test('is 422, or 200 where the source acknowledges it; its health names it either way', async () => {
      assert.ok(unmapped)
      for (const [acknowledge, status, result] of [
        [false, 422, 'unprocessable'],
        [true, 200, 'ignored'],
      ] as const) {
        const id = await connect(acknowledge)
        const called = await send(id)
        assert.equal(called.status, status, called.text)
        const [record] = Object.values((await causes.call('GET', `${PATH}/${id}/deliveries`)).body)
        const { result: recorded, verification, event_type: eventType } = Object(record)
        assert.deepEqual([recorded, verification], [result, 'verified'])
        const { body: health } = await causes.call('GET', `${PATH}/${id}/health`)
        assert.deepEqual(
          Object(health['unusable_events']).map((one: Record<string, unknown>) => [one['event_type'], one['count']]),
          [[eventType, 1]],
        )
        assert.equal(health['rejected_in_a_row'], acknowledge ? 0 : 1)
      }
    })

    test('makes the provider pause once it came often enough; a ping or test between them counts for nothing', async () => {
      const id = await connect(false, `${forge.id} of no use`)
      const patience = forge.webhooks.pausesAfter ?? 3
      for (let at = 1; at <= patience; at += 1) {
        await send(id)
        if (ping) assert.equal((await send(id, ping)).status, 422)
        const { body } = await causes.call('GET', `${PATH}/${id}/health`)
        const paused = forge.webhooks.pausesAfter !== null && at >= patience
        assert.deepEqual([body['rejected_in_a_row'], body['probably_paused']], [at, paused])
        assert.equal(body['status'], at >= Math.min(patience, 3) ? 'failing' : 'healthy')
      }
    })

    test('a ping or test is no failure, however often it comes', { skip: !ping }, async () => {
      const id = await connect(false, `${forge.id} in tests`)
      for (let at = 1; at <= 4; at += 1) assert.equal((await send(id, ping)).status, 422)
      const { body } = await causes.call('GET', `${PATH}/${id}/health`)
      assert.deepEqual([body['status'], body['rejected_in_a_row'], body['probably_paused']], ['healthy', 0, false])
      assert.notEqual(body['last_delivery_at'], null)
    })
  })
}

describe('a push that moves no ref', () => {
  const EMPTY: Readonly<Record<string, readonly [string, Path]>> = {
    bitbucket: ['push-branch', ['push', 'changes']],
    bitbucket_datacenter: ['push-branch', ['changes']],
    azure_devops: ['push-branch', ['resource', 'refUpdates']],
  }
  for (const forge of FORGES) {
    const [name, path] = EMPTY[forge.id] ?? []
    if (name === undefined || path === undefined) continue
    test(`is an event of ${forge.title} that nothing can use: 422, or 200 where the source acknowledges it`, async () => {
      const { payload, headers } = fixturesOf(forge).find((fixture) => fixture.name === name) ?? {}
      const body = Buffer.from(JSON.stringify(changed(payload, path, [])))
      for (const [acknowledge, status] of [
        [false, 422],
        [true, 200],
      ] as const) {
        const source = {
          name: `${forge.id} empty ${acknowledge}`,
          provider: forge.id,
          acknowledge_unmapped: acknowledge,
        }
        const created = await causes.call('POST', PATH, aSource({ ...source, ...provedBy(forge) }))
        const texts = Object.entries(headers ?? {}).map(([key, value]) => [key, String(value)])
        const proof = proofOf(forge, body, LOGIN)
        const url = `/v1/git/webhooks/${String(created.body['id'])}`
        const answer = await deliver(causes, url, { headers: { ...Object.fromEntries(texts), ...proof }, body })
        assert.equal(answer.status, status, answer.text)
      }
    })
  }
})

test('a source of a provider that pauses webhooks is told of acknowledge_unmapped until it is set', async () => {
  for (const forge of FORGES) {
    const document = aSource({ name: `noted ${forge.id}`, ...provedBy(forge) })
    const { body, text } = await causes.call('POST', PATH, document)
    const notes = Array.isArray(body['notes']) ? body['notes'] : [text]
    assert.equal(notes.length, forge.webhooks.pausesAfter === null ? 0 : 1, forge.id)
    for (const note of notes) assert.match(String(note), /Set acknowledge_unmapped, and it is answered 200\.$/)
    const patched = await causes.call('PATCH', `${PATH}/${String(body['id'])}`, { acknowledge_unmapped: true })
    assert.deepEqual(patched.body['notes'], [])
  }
})
