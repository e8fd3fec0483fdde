import { type Queryable, toCamel } from '#platform/database'
import type { Fire } from './fires.ts'

export interface AskedInstants {
  readonly scheduleId: string
  /** Both ends are included. */
  readonly from: Date
  readonly to: Date
  /** No fire lies further behind its nominal instant. */
  readonly spreadMs: number
  readonly limit: number
}

/** Fires planned for these instants, or named by them in the expression, and the rows of many missed ones around them. */
export async function listFiresAround(db: Queryable, asked: AskedInstants): Promise<Fire[]> {
  const { scheduleId, from, to, spreadMs, limit } = asked
  const rows = await db
    .selectFrom('schedule_fires')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .where((of) =>
      of.or([
        of.and([
          of('planned_at', '>=', from),
          of('planned_at', '<=', new Date(to.getTime() + spreadMs)),
          of.or([of('planned_at', '<=', to), of('nominal_at', '<=', to)]),
          of.or([of('planned_at', '<=', to), of('nominal_at', '>=', from)]),
        ]),
        of.and([of('outcome', '=', 'missed'), of('planned_at', '<=', to), of('missed_until', '>=', from)]),
      ]),
    )
    .orderBy('planned_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toCamel)
}

/** The last fire of the schedule's own before an instant. */
export async function findFireBefore(db: Queryable, scheduleId: string, at: Date): Promise<Fire | undefined> {
  const row = await db
    .selectFrom('schedule_fires')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .where('kind', '=', 'scheduled')
    .where('planned_at', '<', at)
    .orderBy('planned_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toCamel(row)
}
