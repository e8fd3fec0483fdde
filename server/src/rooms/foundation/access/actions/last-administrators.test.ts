import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { systemCaller } from '#platform/http'
import { createTestDatabase, createTestHttp, createTestKit, until } from '#platform/testing'
import { aMember, openFoundation } from '../testing.ts'

const BOOTSTRAP = 'the-bootstrap-token-of-this-test'
const { database } = await createTestDatabase()
const db = database.kysely
const kit = createTestKit(database, { env: { BOOTSTRAP_ADMIN_TOKEN: BOOTSTRAP } })

/** The number of statements that wait for the row that each change of rights locks; others may wait for other things. */
async function waiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%access_revision%'`.execute(db)
  return rows[0]?.count ?? 0
}

/** Works while everybody who wants to change who may do what waits. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  await database.transaction(async (tx) => {
    // However long: a machine may be slow.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await sql`select from access_revision for update`.execute(tx)
    await work()
  })
}

test('of two who take away the last two administrators at once, one is refused', async (t) => {
  const house = await openFoundation(kit)
  const http = await createTestHttp(house.routes, house.access.authenticator)
  t.after(async () => {
    await http.app.close()
    await house.close()
  })
  const [ada, bob] = [await aMember(db, 'ada', 'administrator', '/'), await aMember(db, 'bob', 'administrator', '/')]
  await sql`update access_revision set bootstrap_revoked_at = now(), revision = revision + 1`.execute(db)
  const disable = (who: { id: string; headers: { authorization: string } }) =>
    http.app.inject({ method: 'PATCH', url: `/v1/users/${who.id}`, headers: who.headers, payload: { disabled: true } })
  const answers: Promise<{ statusCode: number }>[] = []
  await whileLocked(async () => {
    answers.push(disable(ada), disable(bob))
    await until('both to wait', waiting, (count) => count === 2)
  })
  const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode)
  assert.deepEqual(statuses.toSorted(), [200, 409])
})

test('of two first administrators at once, one is refused', async (t) => {
  await sql`delete from users`.execute(db)
  const house = await openFoundation(kit)
  t.after(() => house.close())
  const origin = { caller: systemCaller('setup'), address: '127.0.0.1', requestId: 'r1' }
  const create = (login: string) =>
    house.access.createAdministrator(origin, {
      login,
      name: undefined,
      email: null,
      password: undefined,
      tokenName: undefined,
    })
  const made: Promise<string>[] = []
  await whileLocked(async () => {
    // Settled from the start: one is refused before `whileLocked` has returned.
    for (const login of ['ada', 'bob'])
      made.push(
        create(login).then(
          () => 'made',
          () => 'refused',
        ),
      )
    await until('both to wait', waiting, (count) => count === 2)
  })
  assert.deepEqual((await Promise.all(made)).toSorted(), ['made', 'refused'])
})
