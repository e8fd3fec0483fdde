import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { lowestIdOf } from '#platform/ids'
import { countRowsRead, createTestDatabase } from '#platform/testing'
import { answersQuery, findAnswers } from './answers.ts'

const DAY_MS = 86_400_000
const DAYS = 8
const EACH_DAY = 2500
const NOW = Date.UTC(2026, 10, 21, 12)
const BUSY = randomUUID()
const since = new Date(NOW - DAYS * DAY_MS)
const { database } = await createTestDatabase()
const db = database.kysely

before(async () => {
  for (let day = 0; day < DAYS; day += 1) {
    const at = NOW - day * DAY_MS
    await sql`select ensure_day_partition('deliveries', ${new Date(at).toISOString().slice(0, 10)}::date)`.execute(db)
    await sql`
      insert into deliveries (id, source_id, delivery_id, event_type, result, verification, status_code, reason, run_ids,
        trace, payload_bytes, received_at, duration_ms)
      select (${lowestIdOf(at).slice(0, 24)} || lpad(to_hex(n), 12, '0'))::uuid, ${BUSY}, ${`${day}-`} || n, 'push',
        case n % 3 when 0 then 'accepted' else 'ignored' end, case n % 10 when 0 then 'mismatch' else 'verified' end,
        case n % 3 when 0 then 202 else 200 end, 'It matched.', '{}', '{}', 1, ${new Date(at)}, 1
      from generate_series(1, ${EACH_DAY}::integer) as n`.execute(db)
  }
  await sql`insert into delivery_keys (source_id, delivery_id, delivery_record_id)
    select source_id, delivery_id, id from deliveries where result = 'accepted' and verification = 'verified'`.execute(
    db,
  )
  await sql`analyze deliveries, delivery_keys`.execute(db)
})

test('the answer to an id whose day nobody knows costs no walk of the days', async () => {
  for (const ids of [
    ['7-11'],
    ['7-12'],
    ['nobody-sent-it'],
    Array.from({ length: 100 }, (_, n) => `${n % DAYS}-${n + 1}`),
  ]) {
    const read = await countRowsRead(db, answersQuery(BUSY, ids, since))
    assert.ok(read <= 10 * ids.length, `${read} rows were read for ${ids.length} ids`)
  }
})

test('answers are those that were proved', async () => {
  const answers = await findAnswers(db, BUSY, ['7-10', '7-11', '0-12', '7-30', 'nobody-sent-it'], since)
  assert.deepEqual(
    answers.map(({ deliveryId, statusCode }) => [deliveryId, statusCode]),
    [
      ['0-12', 202],
      ['7-11', 200],
    ],
  )
  assert.deepEqual(await findAnswers(db, BUSY, ['7-11', '7-12'], new Date(NOW)), [])
})
