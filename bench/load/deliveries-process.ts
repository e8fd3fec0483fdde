import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../stats.ts'
import { connectTo } from './keep-alive-client.ts'
import { distinctPushRequests, type PushRequest, pushRequests } from './push-requests.ts'
import { isRound, type Round, type RoundResult } from './round.ts'

// The load generator: a process of its own, started by the benchmark, that plays one round per message.

// Each connection has bodies of its own: a request is changed for its next sending only after its answer came.
const BODIES_PER_CONNECTION = 4
/** Before a delivery that was answered with 5xx is sent again. */
const PAUSE_MS = 1000
const idPrefix = `${randomBytes(4).toString('hex')}-${randomBytes(2).toString('hex')}-4000-8000-`
let deliveries = 0
const prepared = new Map<string, PushRequest[][]>()

function prepare(round: Round): PushRequest[][] {
  const key = `${round.port} ${round.path} ${round.connections} ${round.secret}`
  const known = prepared.get(key)
  if (known) return known
  const made = Array.from({ length: round.connections }, (_, connection) =>
    pushRequests(round, BODIES_PER_CONNECTION, connection * BODIES_PER_CONNECTION),
  )
  prepared.set(key, made)
  return made
}

let distinct = 0

/** The requests of a connection in its n-th turn; undefined when there are no more. */
function requestsOf(round: Round): (connection: number, turn: number) => PushRequest | undefined {
  if (round.distinct !== undefined) {
    const made = distinctPushRequests(round, round.distinct, distinct)
    distinct += round.distinct
    let sent = 0
    return () => made[sent++]
  }
  const requests = prepare(round)
  return (connection, turn) => requests[connection]?.[turn % BODIES_PER_CONNECTION]
}

async function play(round: Round): Promise<RoundResult> {
  const next = requestsOf(round)
  const clients = await Promise.all(Array.from({ length: round.connections }, () => connectTo(round.port)))
  const statuses: Record<string, number> = {}
  const latencies: number[] = []
  let left = round.count ?? Number.POSITIVE_INFINITY
  const started = performance.now()
  const until = started + round.durationMs
  await Promise.all(
    clients.map(async (client, connection) => {
      for (let turn = 0; ; turn++) {
        const before = performance.now()
        if (before >= until || left <= 0) return
        const request = next(connection, turn)
        if (!request) return
        left -= 1
        deliveries += 1
        request.setDeliveryId(idPrefix + deliveries.toString(16).padStart(12, '0'))
        for (;;) {
          const status = await client.send(request.bytes)
          statuses[status] = (statuses[status] ?? 0) + 1
          if (!round.insist || status < 500) break
          await sleep(PAUSE_MS)
        }
        latencies.push(performance.now() - before)
      }
    }),
  )
  const seconds = (performance.now() - started) / 1000
  for (const client of clients) client.close()
  return {
    answered: latencies.length,
    statuses,
    perSecond: latencies.length / seconds,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
  }
}

process.on('message', (message) => {
  if (!isRound(message)) return
  play(message).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ failed: String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
