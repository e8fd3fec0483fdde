import type { Queryable } from '#platform/database'
import type { Kit } from '#platform/room'
import type { Runner, RunnerHello } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { requireHello } from './enroll-runner.ts'

export interface RunnerConnection {
  readonly runnerId: string
  /** The control-plane process that holds the stream. */
  readonly processId: string
  /** When it was greeted: it tells the stream from an older one of the same process, whose end may be noted later. */
  readonly since: Date
}

export interface Connections {
  /** A stream was opened. Undefined when the runner was removed; throws runner.hello_refused. */
  setConnected(
    db: Queryable,
    connection: RunnerConnection,
    hello: RunnerHello,
    leaving: boolean,
  ): Promise<Runner | undefined>
  /** A stream ended; changes nothing when the runner has a newer stream. */
  setDisconnected(db: Queryable, connection: RunnerConnection): Promise<void>
  /** The runner said on this stream that it is stopping. */
  setLeaving(db: Queryable, connection: RunnerConnection): Promise<void>
  /** Runners were heard of. Most calls write nothing: what is stored may be a quarter of the lease old. */
  heartbeat(db: Queryable, processId: string, runnerIds: readonly string[]): Promise<void>
}

export function createConnections(kit: Kit): Connections {
  const writeEveryMs = (kit.config.leaseSeconds * 1000) / 4
  /** Monotonic time of the last write, by runner. */
  const written = new Map<string, number>()
  return {
    async setConnected(db, connection, hello, leaving) {
      const sound = requireHello(hello)
      const runner = await store.markConnected(db, connection, sound, leaving)
      if (runner) written.set(runner.id, kit.clock.monotonic())
      return runner
    },
    async setDisconnected(db, connection) {
      written.delete(connection.runnerId)
      await store.markDisconnected(db, connection, kit.clock.now())
    },
    setLeaving: (db, connection) => store.markLeaving(db, connection, kit.clock.now()),
    async heartbeat(db, processId, runnerIds) {
      const now = kit.clock.monotonic()
      const due = runnerIds.filter((id) => now - (written.get(id) ?? Number.NEGATIVE_INFINITY) >= writeEveryMs)
      if (due.length === 0) return
      await store.markSeen(db, { runnerIds: due, processId, at: kit.clock.now() })
      for (const id of due) written.set(id, now)
    },
  }
}
