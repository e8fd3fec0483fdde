import { status } from '@grpc/grpc-js'
import type { Heartbeat, LogChunk, RunnerMessage } from '@signalbox/contracts/runner'
import { isUnavailable, type Queryable } from '#platform/database'
import type { Kit } from '#platform/room'
import type { Runners } from '#rooms/catalog/runners'
import type { Runs } from '#rooms/execution/runs'
import type { Dispatcher } from '../jobs/dispatcher.ts'
import type { LogPump } from '../jobs/log-pump.ts'
import { readFinished, readMoment } from './read-result.ts'
import type { Assignment, RunnerSession } from './runner-session.ts'
import type { Switchboard } from './switchboard.ts'

export interface ReceiveNeeds {
  readonly processId: string
  readonly runners: Pick<Runners, 'heartbeat' | 'setLeaving'>
  readonly runs: Pick<Runs, 'progress'>
  readonly switchboard: Switchboard
  readonly dispatcher: Pick<Dispatcher, 'push' | 'wake'>
  readonly logPump: Pick<LogPump, 'push' | 'end'>
  readonly stale: () => void
}

const MAX_CHUNK_LINES = 1 << 20

/** One message of a runner that has had its Welcome. Never throws. */
export function receive(kit: Kit, needs: ReceiveNeeds, session: RunnerSession, { kind }: RunnerMessage): void {
  switch (kind.case) {
    case 'heartbeat':
      void beat(kit, needs, session, kind.value)
      break
    case 'started': {
      const held = session.held.get(Number(kind.value.fence))
      if (!held || held.done) return
      held.startedAt = readMoment(kind.value.startedAtMs) ?? kit.clock.now()
      needs.dispatcher.push({ kind: 'started', runnerId: session.runner.id, held, at: held.startedAt })
      break
    }
    case 'log':
      receiveLog(needs, session, kind.value)
      break
    case 'finished': {
      const held = session.held.get(Number(kind.value.fence))
      if (!held) {
        // Its lease has ended: the result counts for nothing, and the runner may forget it.
        needs.stale()
        session.send({ case: 'finishAck', value: { fence: kind.value.fence } })
        return
      }
      held.finished = {
        attempt: readFinished(kind.value, held.startedAt),
        lineCount: Number(kind.value.lineCount),
      }
      needs.logPump.end(session, held, Number(kind.value.lineCount))
      settle(needs, session, held)
      break
    }
    case 'draining':
      session.draining = true
      needs.switchboard.changed()
      void needs.runners
        .setLeaving(kit.database.kysely, { runnerId: session.runner.id, processId: needs.processId })
        .catch((error: unknown) => kit.log.warn({ err: error }, 'that a runner is leaving could not be noted'))
      break
    case 'hello':
      session.end(status.FAILED_PRECONDITION, 'A stream has one Hello.')
      break
    case undefined:
      break
    default:
      kind satisfies never
  }
}

/** Hands the result on once every line before it is stored; called again when lines were. */
export function settle(
  needs: Pick<ReceiveNeeds, 'dispatcher' | 'switchboard'>,
  session: RunnerSession,
  held: Assignment,
): void {
  const { finished } = held
  if (!finished || held.storedLines < finished.lineCount) return
  held.finished = undefined
  if (held.done) needs.switchboard.acknowledge(session.runner.id, held.fence)
  else {
    held.reported = true
    needs.dispatcher.push({ kind: 'finished', runnerId: session.runner.id, held, finished: finished.attempt })
  }
}

function receiveLog(needs: ReceiveNeeds, session: RunnerSession, chunk: LogChunk): void {
  const held = session.held.get(Number(chunk.fence))
  if (!held) return
  if (chunk.lineCount === 0 || chunk.lineCount > MAX_CHUNK_LINES) {
    session.end(status.INVALID_ARGUMENT, 'A log chunk has no lines, or too many.')
    return
  }
  const { lineCount, linesZstd } = chunk
  needs.logPump.push(session, held, { firstLine: Number(chunk.firstLine), lineCount, linesZstd })
}

/** Renews the leases of what it names. One statement; nothing else of the stream waits for it. */
async function beat(kit: Kit, needs: ReceiveNeeds, session: RunnerSession, heartbeat: Heartbeat): Promise<void> {
  const { sequence } = heartbeat
  const fences = heartbeat.fences.map(Number)
  const db = kit.database.kysely
  try {
    const until = new Date(kit.clock.now().getTime() + kit.config.leaseSeconds * 1000)
    await needs.runners.heartbeat(db, needs.processId, [session.runner.id])
    const wanted = fences.filter((fence) => session.held.get(fence)?.done === false)
    const renewed =
      wanted.length === 0 ? [] : await needs.runs.progress.renewLeases(db, session.runner.id, wanted, until)
    const kept = new Set(renewed.map(({ fence }) => fence))
    for (const { fence, cancelReason } of renewed) {
      if (cancelReason !== null) needs.switchboard.cancel(session.runner.id, fence, cancelReason)
    }
    // What ended on its own side meanwhile is acknowledged, not lost.
    const lost = fences.filter((fence) => !kept.has(fence) && isLost(session, wanted, fence))
    for (const fence of lost) session.held.delete(fence)
    session.send({ case: 'heartbeatAck', value: { sequence, lost: lost.map(BigInt) } })
    const forgotten = await dropForgotten(needs, db, session, fences)
    if (lost.length > 0 || forgotten) needs.dispatcher.wake()
  } catch (error) {
    // While the database is away nobody can take a lease: the runner goes on, and every lease gets its time anew after.
    if (isUnavailable(error)) session.send({ case: 'heartbeatAck', value: { sequence, lost: [] } })
    else kit.log.error({ err: error, runnerId: session.runner.id }, 'a heartbeat failed')
  }
}

/**
 * A runner names no more what it gave up at the end of its lease, and what it has not yet been told of: once the lease of
 * such an attempt is over, its place is free. Answers whether one is.
 */
async function dropForgotten(
  needs: Pick<ReceiveNeeds, 'runs'>,
  db: Queryable,
  session: RunnerSession,
  named: readonly number[],
): Promise<boolean> {
  const unnamed = [...session.held.values()].filter(
    ({ fence, done, reported }) => !done && !reported && !named.includes(fence),
  )
  if (unnamed.length === 0) return false
  const rows = await needs.runs.progress.listHeld(
    db,
    session.runner.id,
    unnamed.map(({ fence }) => fence),
  )
  const leased = new Set(rows.flatMap(({ fence, status: standing }) => (standing === 'leased' ? [fence] : [])))
  const over = unnamed.filter(({ fence }) => !leased.has(fence))
  for (const { fence } of over) session.held.delete(fence)
  return over.length > 0
}

/** Asked, not renewed, still in hand here and not reported: another dispatcher ended it. */
function isLost(session: RunnerSession, asked: readonly number[], fence: number): boolean {
  const held = session.held.get(fence)
  return asked.includes(fence) && held !== undefined && !held.done && !held.reported
}
