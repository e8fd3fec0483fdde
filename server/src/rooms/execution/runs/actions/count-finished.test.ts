import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestClock, createTestDatabase } from '#platform/testing'
import { aPipeline } from '../../../catalog/pipelines/testing.ts'
import { anEnvironment } from '../../../foundation/teams/testing.ts'
import { aRun } from '../testing.ts'
import { createFinishedCounter } from './count-finished.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const HOUR_MS = 3_600_000
const TEAMS = ['acme', 'acme/web', 'other']
await anEnvironment(db, 'acme/web/production')
const pipeline = await aPipeline(db, 'acme/web/build')
const clock = createTestClock(new Date('2026-11-21T09:20:00.000Z'))
const hoursAgo = (hours: number): Date => new Date(clock.now().getTime() - hours * HOUR_MS)

type End = 'success' | 'warning' | 'failure' | 'canceled'
const ENDS: readonly End[] = ['success', 'failure', 'canceled']

async function anEnd(teamPath: string, status: End, at: Date): Promise<void> {
  const id = await aRun(db, pipeline, { teamPath })
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

describe('runs that ended lately', () => {
  test('are counted as by one look at all of them, while time goes on and runs end', async () => {
    const count = createFinishedCounter({ database, clock })
    for (let hour = 0; hour < 30; hour += 1) {
      for (const [place, team] of TEAMS.entries()) {
        await anEnd(team, ENDS[(hour + place) % 3] ?? 'success', hoursAgo(30 - hour + place / 7))
      }
    }
    for (let step = 0; step < 12; step += 1) {
      for (const team of ['acme', 'acme/web', 'other', 'nowhere']) {
        const since = hoursAgo(24)
        assert.deepEqual(Object.fromEntries(await count([team], since)), await countAll(team, since))
      }
      await clock.advance(HOUR_MS / 3)
      await anEnd('acme/web', 'success', clock.now())
      await anEnd('acme', 'warning', new Date(clock.now().getTime() - HOUR_MS + 1000))
    }
    assert.deepEqual(Object.fromEntries(await count([], hoursAgo(24))), {})
    const recent = hoursAgo(0.5)
    assert.deepEqual(Object.fromEntries(await count(['acme'], recent)), await countAll('acme', recent))
  })

  test('are not counted anew where their hour was over long ago', async () => {
    const count = createFinishedCounter({ database, clock })
    const since = hoursAgo(24)
    const before = await count(['other'], since)
    await anEnd('other', 'success', hoursAgo(12))
    assert.deepEqual(await count(['other'], since), before)
    await clock.advance(10 * 60_000)
    assert.deepEqual(Object.fromEntries(await count(['other'], since)), await countAll('other', since))
  })
})
