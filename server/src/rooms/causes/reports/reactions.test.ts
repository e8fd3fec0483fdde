import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, until } from '#platform/testing'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { aConnectedSource, openCauses, TEAM } from '../sources/testing.ts'

const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase, { PROVIDER_HOSTS: '127.0.0.1' })
after(() => causes.close())
const { database } = testDatabase
const db = database.kysely
await aSecret(causes.kit, db, { teamPath: TEAM, name: 'reporter', value: 'token' })

/** Tells that such a run finished; answers how many jobs that cost. */
async function cost(cause: string): Promise<number> {
  await database.transaction((tx) =>
    causes.kit.facts.tell(tx, 'run.finished', 1, { run_id: causes.kit.ids.next(), cause }),
  )
  const { rows } = await sql`
    with gone as (delete from graphile_worker._private_jobs returning id) select id from gone`.execute(db)
  return rows.length
}

test('the end of a run costs a job only where a source reports, or where that is not known', async () => {
  const plain = await aConnectedSource(causes)
  // The sources have not been read yet.
  assert.equal(await cost('event'), 1)
  await until(
    'the sources to be known',
    () => cost('event'),
    (jobs) => jobs === 0,
  )
  assert.equal(await cost('rerun'), 0)

  const document = await causes.call('GET', `/v1/git-webhook-sources/${plain.id}`)
  const reporting = {
    base_url: 'http://127.0.0.1:1',
    checkout_credential_ref: `secret:${TEAM}/reporter`,
    report_status: true,
  }
  const changed = await causes.call('PUT', `/v1/git-webhook-sources/${plain.id}`, { ...document.body, ...reporting })
  assert.equal(changed.status, 200, changed.text)
  await until(
    'the change to be known',
    async () => (await cost('event')) + (await cost('request')),
    (jobs) => jobs === 1,
  )
  assert.equal(await cost('rerun'), 1)
  assert.equal(await cost('schedule'), 0)
})
