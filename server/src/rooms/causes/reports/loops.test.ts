import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { aPullRequestPayload, signDelivery } from '../../../adapters/forges/github/testing.ts'
import { deliver, SECRET } from '../sources/testing.ts'
import { OWN_LOGIN, openReports, openShownForge } from './testing.ts'

const testDatabase = await createTestDatabase()
const house = await openReports(testDatabase)
after(() => house.close())

test('what the own app does starts nothing, and the record says why; the same by a person starts a run', async (t) => {
  const forge = await openShownForge(t)
  const sourceId = await house.connect(forge, 'loops')
  // The source was made with a stored secret: the copy that receives deliveries must know of the app.
  await house.letKnow()
  const repository = { clone_url: `${forge.url}/acme/widgets.git` }
  const payload = aPullRequestPayload({ repository, number: 7, head: 'b'.repeat(40) })
  const by = (sender: unknown, number: number) =>
    deliver(
      house.causes,
      `/v1/git/webhooks/${sourceId}`,
      signDelivery(
        { ...payload, number, sender },
        { secret: SECRET, event: 'pull_request', deliveryId: crypto.randomUUID() },
      ),
    )
  const own = await by({ login: OWN_LOGIN, id: 4711, type: 'Bot' }, 7)
  assert.equal(own.status, 200, own.text)
  const list = `/v1/git-webhook-sources/${sourceId}/deliveries?limit=1`
  const { body } = await house.causes.call('GET', list)
  assert.deepEqual([body[0]?.['result'], body[0]?.['run_ids']], ['ignored', []])
  assert.match(String(body[0]?.['reason']), /The app of this source did this itself/)
  assert.equal((await by({ login: 'mona', id: 583_231, type: 'User' }, 7)).status, 202)
  // Run again by a person, it is still what the app did.
  const replay = await house.causes.call(
    'POST',
    `/v1/git-webhook-sources/${sourceId}/deliveries/${String(body[0]?.['id'])}/replay`,
    {},
  )
  assert.deepEqual([replay.status, replay.body['result']], [200, 'ignored'], replay.text)
})
