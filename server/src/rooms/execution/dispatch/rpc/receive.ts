import { status } from '@grpc/grpc-js'
import type { LogChunk, RunnerMessage } from '@signalbox/contracts/runner'
import type { Kit } from '#platform/room'
import type { Runners } from '#rooms/catalog/runners'
import type { Dispatcher } from '../jobs/dispatcher.ts'
import type { LogPump } from '../jobs/log-pump.ts'
import { Pulse, type PulseNeeds } from './pulse.ts'
import { readFinished, readImages, readMoment } from './read-result.ts'
import type { Assignment, RunnerSession } from './runner-session.ts'
import { WaitNotes } from './wait-notes.ts'

export interface ReceiveNeeds extends PulseNeeds {
  readonly runners: Pick<Runners, 'heartbeat' | 'setLeaving'>
  readonly dispatcher: Pick<Dispatcher, 'push' | 'wake' | 'exclusively'>
  readonly logPump: Pick<LogPump, 'push' | 'end'>
  readonly stale: () => void
}

const MAX_CHUNK_LINES = 1 << 20

/** Takes the messages of a runner that has had its Welcome, one after the other. Never throws. */
export function createReceiver(
  kit: Kit,
  needs: ReceiveNeeds,
  session: RunnerSession,
): (message: RunnerMessage) => void {
  const pulse = new Pulse(kit, needs, session)
  const waits = new WaitNotes(kit, needs.runs.progress, session)
  return ({ kind }) => {
    if (kind.case === 'waiting') waits.note(Number(kind.value.fence), kind.value.reason)
    else receive(kit, needs, session, pulse, kind)
  }
}

type Kind = Exclude<RunnerMessage['kind'], { case: 'waiting' }>

function receive(kit: Kit, needs: ReceiveNeeds, session: RunnerSession, pulse: Pulse, kind: Kind): void {
  switch (kind.case) {
    case 'heartbeat':
      pulse.beat(kind.value)
      break
    case 'started': {
      const held = session.held.get(Number(kind.value.fence))
      if (!held || held.done) return
      const arrivedAt = kit.clock.now()
      held.startedAt = readMoment(kind.value.startedAtMs) ?? arrivedAt
      const images = readImages(kind.value.images)
      needs.dispatcher.push({
        kind: 'started',
        runnerId: session.runner.id,
        held,
        at: held.startedAt,
        arrivedAt,
        images,
      })
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
