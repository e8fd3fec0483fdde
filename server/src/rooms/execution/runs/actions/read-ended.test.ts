import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Queryable } from '#platform/database'
import { createTestClock, createTestDatabase } from '#platform/testing'
import { aPipeline } from '../../../catalog/pipelines/testing.ts'
import { anEnvironment, aTeam } from '../../../foundation/teams/testing.ts'
import { aRun } from '../testing.ts'
import { createEndedReader } from './read-ended.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const HOUR_MS = 3_600_000
const TEAMS = ['acme', 'acme/web', 'other']
await anEnvironment(db, 'acme/web/production')
await aTeam(db, 'other')
const pipeline = await aPipeline(db, 'acme/web/build')
const clock = createTestClock(new Date('2026-11-21T09:20:00.000Z'))
const hoursAgo = (hours: number): Date => new Date(clock.now().getTime() - hours * HOUR_MS)

type End = 'success' | 'warning' | 'failure' | 'timed_out' | 'canceled'
const ENDS: readonly End[] = ['success', 'failure', 'canceled']

async function anEnd(teamPath: string, status: End, at: Date, of = pipeline): Promise<void> {
  const id = await aRun(db, of, { teamPath })
  await db.updateTable('runs').set({ status, started_at: at, finished_at: at }).where('id', '=', id).execute()
}

/** As the counter should answer, by one look at all rows. */
async function countAll(team: string, since: Date): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*) as count from runs
    where (team_path = ${team} or team_path like ${`${team}/%`}) and finished_at >= ${since} group by status`.execute(
    db,
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

function counting(): (prefixes: readonly string[], since: Date) => Promise<Record<string, number>> {
  const read = createEndedReader(clock)
  return async (prefixes, since) => {
    const { counts } = await read(db, prefixes, { countedSince: since, brokenSince: since, mostBroken: 20 })
    return Object.fromEntries(counts)
  }
}

describe('runs that ended lately', () => {
  test('are counted as by one look at all of them, while time goes on and runs end', async () => {
    const count = counting()
    for (let hour = 0; hour < 30; hour += 1) {
      for (const [place, team] of TEAMS.entries()) {
        await anEnd(team, ENDS[(hour + place) % 3] ?? 'success', hoursAgo(30 - hour + place / 7))
      }
    }
    for (let step = 0; step < 12; step += 1) {
      for (const team of ['acme', 'acme/web', 'other', 'nowhere']) {
        const since = hoursAgo(24)
        assert.deepEqual(await count([team], since), await countAll(team, since))
      }
      await clock.advance(HOUR_MS / 3)
      await anEnd('acme/web', 'success', clock.now())
      await anEnd('acme', 'warning', new Date(clock.now().getTime() - HOUR_MS + 1000))
    }
    assert.deepEqual(await count([], hoursAgo(24)), {})
    const recent = hoursAgo(0.5)
    assert.deepEqual(await count(['acme'], recent), await countAll('acme', recent))
  })

  test('are not counted anew where their hour was over long ago', async () => {
    const count = counting()
    const since = hoursAgo(24)
    const before = await count(['other'], since)
    await anEnd('other', 'success', hoursAgo(12))
    assert.deepEqual(await count(['other'], since), before)
    await clock.advance(10 * 60_000)
    assert.deepEqual(await count(['other'], since), await countAll('other', since))
  })
})

describe('pipelines that broke', () => {
  const PIPELINES = 6

  /** As the reader should answer, by one look at all rows: pipelines by the id of the run that broke them, the latest first. */
  async function breaksOfAll(team: string, since: Date): Promise<unknown[]> {
    const { rows } = await sql`
      select pipeline_id as "pipelineId", id as "runId", good as "lastGoodRunId" from (
        select pipeline_id, id, status, finished_at, team_path, row_number() over newest as nth,
          lead(id) over newest as good, lead(status) over newest as before
        from runs where finished_at is not null and status <> 'canceled'
        window newest as (partition by pipeline_id order by id desc)
      ) as ended
      where nth = 1 and status in ('failure', 'timed_out') and before in ('success', 'warning') and finished_at >= ${since}
        and (team_path = ${team} or team_path like ${`${team}/%`})
      order by finished_at desc`.execute(db)
    return rows
  }

  test('are those that one look at all runs finds, while time goes on and runs end', async () => {
    const read = createEndedReader(clock)
    const pipelines = []
    for (let n = 0; n < PIPELINES; n += 1) {
      const teamPath = TEAMS[n % TEAMS.length] ?? 'acme'
      pipelines.push({ teamPath, of: await aPipeline(db, `${teamPath}/broken-${n}`) })
    }
    const ends: readonly End[] = ['success', 'failure', 'timed_out', 'warning', 'canceled']
    let most = 0
    for (let step = 0; step < 40; step += 1) {
      for (const [n, { teamPath, of }] of pipelines.entries()) {
        // In an order that never repeats within the test; the last one ends rarely.
        const end = ends[(step * step + 3 * n + Math.floor((step * n) / 4)) % ends.length]
        if (end !== undefined && (n < 5 || step % 9 === 0)) await anEnd(teamPath, end, hoursAgo(n / 1000), of)
      }
      await clock.advance(HOUR_MS / 4)
      for (const team of ['acme', 'acme/web', 'other']) {
        for (const hours of [5, 0.75]) {
          const brokenSince = hoursAgo(hours)
          const wish = { countedSince: hoursAgo(24), brokenSince, mostBroken: 20 }
          const { broken } = await read(db, [team], wish)
          const found = broken.map(({ pipelineId, runId, lastGoodRunId }) => ({ pipelineId, runId, lastGoodRunId }))
          assert.deepEqual(found, await breaksOfAll(team, brokenSince), `${team}, ${hours} hours, step ${step}`)
          most = Math.max(most, found.length)
        }
      }
    }
    assert.ok(most > 1, 'several were broken at a time')
  })

  test('are not shown once their team was moved out of sight', async () => {
    const read = createEndedReader(clock)
    const moved = await aPipeline(db, 'other/moved')
    await anEnd('other', 'success', hoursAgo(5), moved)
    await anEnd('other', 'failure', hoursAgo(4), moved)
    const wish = { countedSince: hoursAgo(24), brokenSince: hoursAgo(8), mostBroken: 20 }
    const shown = async (): Promise<boolean> =>
      (await read(db, ['other'], wish)).broken.some(({ pipelineId }) => pipelineId === moved.id)
    assert.equal(await shown(), true)
    await db.updateTable('runs').set({ team_path: 'acme' }).where('pipeline_id', '=', moved.id).execute()
    assert.equal(await shown(), false)
  })
})

describe('a day of 20,000 runs', () => {
  const RUNS = 20_000

  /** The entries of indexes, and the rows of `runs`, that this session has looked at. */
  async function lookedAt(tx: Queryable): Promise<number> {
    const { rows } = await sql<{ looked: number }>`
      select pg_stat_get_xact_tuples_returned('runs'::regclass) + (
        select sum(pg_stat_get_xact_tuples_returned(indexrelid)) from pg_index where indrelid = 'runs'::regclass
      ) as looked`.execute(tx)
    return Number(rows[0]?.looked)
  }

  test('costs the index entries of the last two hours, once the others were read', async () => {
    const model = await aRun(db, pipeline, { teamPath: 'acme' })
    await sql`
      insert into runs (id, team_path, pipeline_id, pipeline_version_id, pipeline_identifier, pipeline_name,
        pipeline_version, scope, requirement, profile_environment, status, cause, initiator_kind, initiator_id,
        initiator_name, variables, queued_at, finished_at)
      select ('01a00000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'busy/team-' || n % 4, pipeline_id,
        pipeline_version_id, pipeline_identifier, pipeline_name, pipeline_version, scope, requirement,
        profile_environment, case n % 3 when 0 then 'failure' else 'success' end, cause, initiator_kind, initiator_id,
        initiator_name, variables, at, at
      from runs, generate_series(1, ${RUNS}::integer) as n,
        lateral (select ${clock.now()}::timestamptz - make_interval(secs => (${RUNS} - n) * 86400.0 / ${RUNS}) as at) as times
      where runs.id = ${model}`.execute(db)
    await db.deleteFrom('runs').where('id', '=', model).execute()
    await sql`analyze runs`.execute(db)
    const read = createEndedReader(clock)
    const wish = { countedSince: hoursAgo(24), brokenSince: hoursAgo(48), mostBroken: 20 }
    await read(db, ['busy'], wish)
    await database.transaction(async (tx) => {
      const before = await lookedAt(tx)
      const { counts } = await read(tx, ['busy'], wish)
      const looked = (await lookedAt(tx)) - before
      assert.equal((counts.get('success') ?? 0) + (counts.get('failure') ?? 0), RUNS)
      assert.ok(looked < RUNS / 10, `looked at ${looked} of ${RUNS}`)
      assert.ok(looked > RUNS / 24, `looked at ${looked}: the counters tell nothing`)
    })
  })
})
