import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { signPush } from '../../../adapters/forges/github/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { aConnectedSource, aSource, deliver, SECRET, TEAM } from '../sources/testing.ts'
import { openCausesOverGit } from './testing/open-causes-over-git.ts'

const { causes, db, repository, server, close } = await openCausesOverGit()
after(close)
await aSecret(causes.kit, db, { teamPath: TEAM, name: 'reader', value: 'bot:a read token' })

test('what came while a change still counted as told is a repetition, however late it is decided', async () => {
  const base = repository.commit({ a: '1' })
  const commit = repository.commit({ a: '2' }, { parents: [base], ref: 'refs/heads/main' })
  const { url } = await aConnectedSource(causes, { name: 'telling' }, { source_id: null, paths: ['a'] })
  const reading = {
    name: 'reading',
    base_url: server.url,
    read_repository: true,
    checkout_credential_ref: `secret:${TEAM}/reader`,
  }
  const created = await causes.call('POST', '/v1/git-webhook-sources', aSource(reading))
  assert.equal(created.status, 201, created.text)
  const push = () =>
    signPush({
      secret: SECRET,
      deliveryId: randomUUID(),
      before: base,
      after: commit,
      forced: true,
      repository: { full_name: 'acme/widgets', clone_url: `${server.url}/repository.git` },
    })
  assert.equal((await deliver(causes, url, push())).status, 202)
  assert.equal((await deliver(causes, `/v1/git/webhooks/${String(created.body['id'])}`, push())).status, 202)
  // By the time that the job decides, the change counts as another one; when the delivery came it did not yet.
  await sql`update event_starts set same_until =
    (select received_at from trigger_events where resolution = 'pending') + interval '1 millisecond'`.execute(db)
  const pending = await db.selectFrom('trigger_events').select('id').where('resolution', '=', 'pending').execute()
  const job = causes.jobs.find(({ name }) => name === 'events.resolve')
  for (const { id } of pending) await job?.run({ eventId: id }, new AbortController().signal)
  assert.equal(pending.length, 1)
  assert.equal((await db.selectFrom('runs').select('id').execute()).length, 1)
})
