import pg from 'pg'
import type { Log } from '#platform/log'
import type { Clock } from '#platform/time'
import { answeredWithin } from './answered-within.ts'

/** Longer than almost any statement takes: only longer ones are asked about. */
const LONG_MS = 10_000
const LOOK_MS = 5000
const ANSWER_MS = 3000

const LIMITS = `select set_config('idle_in_transaction_session_timeout', '20s', false),
  set_config('tcp_user_timeout', '30s', false), set_config('tcp_keepalives_idle', '10', false),
  set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '3', false)`

/**
 * A control plane can vanish in the middle of a transaction, with its machine or behind a cut wire. PostgreSQL then
 * keeps the locks as long as it believes in the client: by default two hours, in which every other one waits. Each new
 * connection is asked before anything else; rejects when the connection does not answer. Not by parameters of the
 * start: poolers refuse those.
 */
export async function limitSession(client: pg.ClientBase, clock: Clock): Promise<void> {
  await answeredWithin(clock, client.query(LIMITS), ANSWER_MS)
}

/** Sessions that are at work for somebody, or in a transaction of theirs. */
const AT_WORK =
  "select pid, pg_backend_pid() as own from pg_stat_activity where state <> 'idle' or pid = pg_backend_pid()"

export interface SessionWatch {
  /** From now on connections of this pool are looked after. */
  watch(pool: pg.Pool): void
  close(): void
}

interface Lent {
  readonly since: number
  /** The database said once that it is not at work for this connection. */
  doubted: boolean
}

/**
 * A connection whose other end is silently gone (a dead host, a failover, a forgetful firewall) looks like a connection
 * that waits for its answer. TCP gives up after a quarter of an hour; until then its caller waits, and a pool of such
 * connections makes everybody wait. The watch therefore asks the database about a connection that owes an answer for
 * long. Where the database says twice that the connection is idle, the watch ends it, and its statement fails as with
 * any broken connection. A database that hangs as a whole says nothing, and then nothing is done.
 */
export function watchSessions(config: pg.ClientConfig, log: Log, clock: Clock): SessionWatch {
  const lent = new Map<pg.PoolClient, Lent>()
  let closed = false
  const later = (): { cancel(): void } => clock.after(LOOK_MS, () => void look())
  let timer = later()

  async function look(): Promise<void> {
    const late = [...lent].filter(([client, { since }]) => owesAnswer(client) && clock.monotonic() - since > LONG_MS)
    if (late.length > 0) await judge(late)
    if (!closed) timer = later()
  }

  async function judge(late: readonly (readonly [pg.PoolClient, Lent])[]): Promise<void> {
    const atWork = await askForSessions(config, clock)
    if (atWork === undefined) return
    for (const [client, one] of late) {
      // Given back meanwhile: it was answered.
      if (lent.get(client) !== one) continue
      const gone = !atWork.has(processOf(client))
      if (gone && one.doubted) {
        log.warn(
          { session: processOf(client) },
          'a database connection without an answer is ended: its session is gone',
        )
        end(client)
      }
      one.doubted = gone
    }
  }

  return {
    watch(pool) {
      pool.on('acquire', (client) => void lent.set(client, { since: clock.monotonic(), doubted: false }))
      pool.on('release', (_error, client) => void lent.delete(client))
    },
    close() {
      closed = true
      timer.cancel()
    },
  }
}

/** Undefined where the database does not say so in time, or behind a pooler, which gives sessions numbers of its own. */
async function askForSessions(config: pg.ClientConfig, clock: Clock): Promise<ReadonlySet<number> | undefined> {
  const client = new pg.Client({
    ...config,
    application_name: 'signalbox sessions',
    connectionTimeoutMillis: ANSWER_MS,
  })
  client.on('error', () => undefined)
  const timer = clock.after(2 * ANSWER_MS, () => void client.end().catch(() => undefined))
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number; own: number }>(AT_WORK)
    return rows[0]?.own === processOf(client) ? new Set(rows.map(({ pid }) => pid)) : undefined
  } catch {
    return undefined
  } finally {
    timer.cancel()
    // Not waited for: the other end may be gone by now.
    void client.end().catch(() => undefined)
  }
}

function owesAnswer(client: object): boolean {
  return 'readyForQuery' in client && client.readyForQuery === false
}

function processOf(client: object): number {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : 0
}

/** The caller that waits for an answer gets an error, and the connection goes back to the pool as a broken one. */
function end(client: object): void {
  if ('end' in client && typeof client.end === 'function') Reflect.apply(client.end, client, [() => undefined])
}
