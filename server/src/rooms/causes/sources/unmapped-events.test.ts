import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { FORGES } from '#adapters/forges'
import { createTestDatabase } from '#platform/testing'
import { fixturesOf } from '../../../adapters/forges/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { aSource, deliver, openCauses, SECRET, TEAM } from './testing.ts'

const PATH = '/v1/git-webhook-sources'
const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
after(() => causes.close())
const db = testDatabase.database.kysely
await aSecret(causes.kit, db, { teamPath: TEAM, name: 'login', value: `signalbox:${SECRET}` })

interface Proof {
  readonly source: Readonly<Record<string, unknown>>
  headers(body: Buffer): Record<string, string>
}

const hex = (body: Buffer): string => createHmac('sha256', SECRET).update(body).digest('hex')

function signed(header: string, prefix = ''): Proof {
  return { source: { auth_mode: 'signature' }, headers: (body) => ({ [header]: `${prefix}${hex(body)}` }) }
}

/** How each provider proves that a delivery comes from it. */
const PROOFS: Readonly<Record<string, Proof>> = {
  github: signed('x-hub-signature-256', 'sha256='),
  gitlab: { source: { auth_mode: 'token' }, headers: () => ({ 'x-gitlab-token': SECRET }) },
  gitea: signed('x-gitea-signature'),
  forgejo: signed('x-forgejo-signature'),
  gogs: signed('x-gogs-signature'),
  bitbucket: signed('x-hub-signature', 'sha256='),
  bitbucket_datacenter: signed('x-hub-signature', 'sha256='),
  azure_devops: {
    source: { auth_mode: 'basic', credential_ref: `secret:${TEAM}/login` },
    headers: () => ({ authorization: `Basic ${Buffer.from(`signalbox:${SECRET}`).toString('base64')}` }),
  },
  generic: signed('x-hub-signature-256', 'sha256='),
}

for (const forge of FORGES) {
  describe(`an event of ${forge.title} that nothing can use`, () => {
    const fixture = fixturesOf(forge).find(({ reading }) => {
      const { kind, cause } = Object(reading)
      return kind === 'nothing_runnable' && cause === 'unmapped'
    })
    const proof = PROOFS[forge.id]
    const body = Buffer.from(JSON.stringify(fixture?.payload))

    async function connect(acknowledge: boolean): Promise<string> {
      const source = {
        name: `${forge.id} ${acknowledge}`,
        provider: forge.id,
        acknowledge_unmapped: acknowledge,
        ...proof?.source,
      }
      const created = await causes.call('POST', PATH, aSource(source))
      assert.equal(created.status, 201, created.text)
      return String(created.body['id'])
    }

    function send(id: string) {
      // A time that was signed once is long over.
      const kept = Object.entries(fixture?.headers ?? {}).filter(([name]) => !name.startsWith('webhook-'))
      const texts = kept.map(([name, value]) => [name, String(value)])
      const headers = { ...Object.fromEntries(texts), ...proof?.headers(body) }
      return deliver(causes, `/v1/git/webhooks/${id}`, { headers, body })
    }

    test('is 422, or 200 where the source acknowledges it; its health names it either way', async () => {
      assert.ok(fixture && proof)
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
  })
}
