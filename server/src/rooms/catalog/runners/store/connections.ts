import { findOne, type Queryable, toSnake } from '#platform/database'
import type { Runner, RunnerHello } from '../rules/index.ts'
import { RUNNER } from './runners.ts'

/** A stream of a runner: the process that holds it, and since when. */
export interface Connection {
  readonly runnerId: string
  readonly processId: string
  readonly since: Date
}

/** Undefined when the runner was removed. A newer stream replaces an older one of any process. */
export async function markConnected(
  db: Queryable,
  connection: Connection,
  hello: RunnerHello,
  leaving: boolean,
): Promise<Runner | undefined> {
  const { version, capacity, labels, executors } = hello
  return findOne(
    db
      .updateTable('runners')
      .set({
        connected_to: connection.processId,
        connected_at: connection.since,
        last_seen_at: connection.since,
        ...toSnake({ version, capacity, offeredLabels: labels, executors }),
        leaving,
      })
      .where('id', '=', connection.runnerId)
      .where('removed_at', 'is', null)
      .returning(RUNNER),
  )
}

/** Only the process that holds the stream may say that it ended, and only of the newest one. */
export async function markDisconnected(db: Queryable, connection: Connection, at: Date): Promise<void> {
  await db
    .updateTable('runners')
    .set({ connected_to: null, last_seen_at: at, leaving: false })
    .where('id', '=', connection.runnerId)
    .where('connected_to', '=', connection.processId)
    .where('connected_at', '=', connection.since)
    .execute()
}

export async function markLeaving(db: Queryable, connection: Connection, at: Date): Promise<void> {
  await db
    .updateTable('runners')
    .set({ leaving: true, last_seen_at: at })
    .where('id', '=', connection.runnerId)
    .where('connected_to', '=', connection.processId)
    .where('connected_at', '=', connection.since)
    .execute()
}

export async function markSeen(
  db: Queryable,
  seen: { readonly runnerIds: readonly string[]; readonly processId: string; readonly at: Date },
): Promise<void> {
  await db
    .updateTable('runners')
    .set({ last_seen_at: seen.at })
    .where('id', 'in', [...seen.runnerIds])
    .where('connected_to', '=', seen.processId)
    .execute()
}
