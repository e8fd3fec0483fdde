import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Queryable } from '#platform/database'
import { createTestClock, createTestDatabase } from '#platform/testing'
import { aPipeline } from '../../../catalog/pipelines/testing.ts'
import { anEnvironment } from '../../../foundation/teams/testing.ts'
import type { Queued } from '../store/queue-place.ts'
import { aRun } from '../testing.ts'
import { findPlace, MOST_COUNTED } from './find-place.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const clock = createTestClock()
const EACH = 2 * MOST_COUNTED
/** Of two teams, in the order in which they begin. */
let line: readonly Queued[]

before(async () => {
  await anEnvironment(db, 'acme/web/production')
  const pipeline = await aPipeline(db, 'acme/web/build')
  const model = await aRun(db, pipeline, { scope: 'acme/web/production' })
  await sql`insert into runs (id, team_path, pipeline_id, pipeline_version_id, pipeline_identifier, pipeline_name,
      pipeline_version, scope, requirement, profile_environment, status, cause, initiator_kind, initiator_id,
      initiator_name, variables, queued_at)
    select ('019a0000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, case n % 2 when 0 then 'acme/web' else 'beta' end,
      pipeline_id, pipeline_version_id, pipeline_identifier, pipeline_name, pipeline_version, scope, requirement,
      profile_environment, status, cause, initiator_kind, initiator_id, initiator_name, variables, queued_at
    from runs, generate_series(1, ${2 * EACH}::integer) as n where id = ${model}`.execute(db)
  await db.deleteFrom('runs').where('id', '=', model).execute()
  await sql`analyze runs`.execute(db)
  line = await db.selectFrom('runs').select(['id', 'lane', 'team_path', 'priority']).orderBy('id').execute()
})

const nth = (at: number): Queued => {
  const run = line[at]
  if (!run) throw new RangeError(`No run ${at}`)
  return run
}

describe('the place of a run in its queue', () => {
  test('is exact as far as it is counted', async () => {
    for (const at of [0, 1, 2, 501, MOST_COUNTED]) {
      assert.equal((await findPlace(clock, db, nth(at))).before, at)
    }
    assert.deepEqual(await findPlace(clock, db, nth(MOST_COUNTED + 1)), {
      before: null,
      counted: MOST_COUNTED,
      estimateSeconds: null,
    })
    assert.deepEqual(await findPlace(clock, db, nth(2 * EACH - 1)), {
      before: null,
      counted: MOST_COUNTED,
      estimateSeconds: null,
    })
  })

  test('costs what is counted, not what is queued', async () => {
    const most = 2 * MOST_COUNTED + 20
    for (const at of [0, 100, MOST_COUNTED, 2 * EACH - 1]) {
      const read = await database.transaction(async (tx) => {
        const earlier = await rowsRead(tx)
        await findPlace(clock, tx, nth(at))
        return (await rowsRead(tx)) - earlier
      })
      assert.ok(read <= most, `${read} rows were read for the run at ${at}`)
    }
  })
})

/** Rows of the table that this transaction has looked at, by whichever way. */
async function rowsRead(tx: Queryable): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'runs'`.execute(tx)
  return rows[0]?.read ?? 0
}
