import assert from 'node:assert/strict'
import type { Selectable } from 'kysely'
import type { DB } from '#platform/database'
import { createTestClock, createTestDatabase, type TestClock, type TestDatabase } from '#platform/testing'
import { aSchedule, openSchedules, type SchedulesHouse, type SchedulesOptions } from '../testing.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000

/** Its wall clock can be set, as an operator or NTP does; timers and `monotonic` go on as before. */
export interface SettableClock extends TestClock {
  set(at: Date): void
}

export function createSettableClock(start: Date): SettableClock {
  const clock = createTestClock(start)
  let offset = 0
  const now = (): Date => new Date(clock.now().getTime() + offset)
  return {
    ...clock,
    now,
    set(at) {
      offset += at.getTime() - now().getTime()
    },
  }
}

export type FireRow = Selectable<DB['schedule_fires']>
export type RunRow = Selectable<DB['runs']>

/** A house whose clock a test moves, and what became of the schedules that it makes. */
export interface Scheduling {
  readonly testDatabase: TestDatabase
  readonly house: SchedulesHouse
  readonly clock: SettableClock
  /** Fires each minute unless told otherwise; answers its id. */
  create(overrides?: Readonly<Record<string, unknown>>, headers?: Readonly<Record<string, string>>): Promise<string>
  read(id: string): Promise<Record<string, unknown>>
  /** Scheduled ones, in order by instant. */
  fires(id: string): Promise<FireRow[]>
  /** `<planned instant> <outcome>` of each. */
  outcomes(id: string): Promise<string[]>
  runs(id: string): Promise<RunRow[]>
}

export const START = '2026-11-23T10:00:00.000Z'

export async function openScheduling(options: SchedulesOptions = {}, start = START): Promise<Scheduling> {
  const testDatabase = await createTestDatabase()
  const clock = createSettableClock(new Date(start))
  const house = await openSchedules(testDatabase, { clock, ...options })
  const db = testDatabase.database.kysely
  let made = 0
  const fires = (id: string): Promise<FireRow[]> =>
    db
      .selectFrom('schedule_fires')
      .selectAll()
      .where('schedule_id', '=', id)
      .where('kind', '=', 'scheduled')
      .orderBy('planned_at')
      .execute()
  return {
    testDatabase,
    house,
    clock,
    async create(overrides = {}, headers = {}) {
      made += 1
      const minutely = { name: `s${made}`, cron_expression: '* * * * *', timezone: 'UTC', ...overrides }
      const { status, body, text } = await house.call('POST', '/v1/schedules', aSchedule(minutely), { headers })
      assert.equal(status, 201, text)
      return String(body['id'])
    },
    read: async (id) => (await house.call('GET', `/v1/schedules/${id}`)).body,
    fires,
    outcomes: async (id) =>
      (await fires(id)).map((fire) => `${fire.planned_at.toISOString().slice(11, 19)} ${fire.outcome}`),
    runs: (id) => db.selectFrom('runs').selectAll().where('schedule_id', '=', id).orderBy('id').execute(),
  }
}

/** They hold each instant once, each started one has its own run, and each run its fire. */
export function assertEachOnce(fires: readonly FireRow[], runs: readonly RunRow[]): void {
  const instants = fires.map((fire) => `${fire.schedule_id} ${fire.planned_at.toISOString()}`)
  assert.equal(new Set(instants).size, instants.length, 'no instant is stored twice')
  const started = fires.flatMap((fire) => (fire.run_id === null ? [] : [fire.run_id]))
  assert.deepEqual(started.toSorted(), runs.map((run) => run.id).toSorted())
}
