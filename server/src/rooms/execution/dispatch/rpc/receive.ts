import { status } from '@grpc/grpc-js'
import type { LogChunk, RunnerMessage } from '@signalbox/contracts/runner'
import type { StreamMeans } from '../means.ts'
import type { RunnerSession, TrackedAssignment } from '../sessions/runner-session.ts'
import { Heartbeats } from './heartbeats.ts'
import { readFinished, readImages, readMoment } from './read-result.ts'
import { WaitNotes } from './wait-notes.ts'

const MAX_CHUNK_LINES = 1 << 20

/** Takes the messages of a runner that has had its Welcome, one after the other. Never throws. */
export function createReceiver(means: StreamMeans, session: RunnerSession): (message: RunnerMessage) => void {
  const heartbeats = new Heartbeats(means, session)
  const waits = new WaitNotes(means, session)
  return ({ kind }) => {
    if (kind.case === 'waiting') waits.note(Number(kind.value.fence), kind.value.reason)
    else receive(means, { session, heartbeats }, kind)
  }
}

interface Stream {
  readonly session: RunnerSession
  readonly heartbeats: Heartbeats
}

type Kind = Exclude<RunnerMessage['kind'], { case: 'waiting' }>

function receive(means: StreamMeans, { session, heartbeats }: Stream, kind: Kind): void {
  switch (kind.case) {
    case 'heartbeat':
      heartbeats.beat(kind.value)
      break
    case 'started': {
      const assignment = session.assignments.get(Number(kind.value.fence))
      if (!assignment || assignment.done) return
      const arrivedAt = means.clock.now()
      assignment.startedAt = readMoment(kind.value.startedAtMs) ?? arrivedAt
      const images = readImages(kind.value.images)
      means.dispatcher.push({
        kind: 'started',
        runnerId: session.runner.id,
        assignment,
        at: assignment.startedAt,
        arrivedAt,
        images,
      })
      break
    }
    case 'log':
      receiveLog(means, session, kind.value)
      break
    case 'finished': {
      const assignment = session.assignments.get(Number(kind.value.fence))
      if (!assignment) {
        // The lease has ended: the result no longer counts, and the runner may forget it.
        means.stale()
        session.send({ case: 'finishAck', value: { fence: kind.value.fence } })
        return
      }
      assignment.finished = {
        attempt: readFinished(kind.value, assignment.startedAt),
        lineCount: Number(kind.value.lineCount),
      }
      means.logPump.end(session, assignment, Number(kind.value.lineCount))
      settle(means, session, assignment)
      break
    }
    case 'draining':
      session.draining = true
      means.sessions.changed()
      void means.runners
        .setLeaving(means.database.kysely, {
          runnerId: session.runner.id,
          processId: means.processId,
          since: session.since,
        })
        .catch((error: unknown) => means.log.warn({ err: error }, 'that a runner is leaving could not be noted'))
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
export function settle(means: StreamMeans, session: RunnerSession, assignment: TrackedAssignment): void {
  const { finished } = assignment
  if (!finished || assignment.storedLines < finished.lineCount) return
  assignment.finished = undefined
  if (assignment.done) means.sessions.acknowledge(session.runner.id, assignment.fence)
  else {
    assignment.reported = true
    means.dispatcher.push({ kind: 'finished', runnerId: session.runner.id, assignment, finished: finished.attempt })
  }
}

function receiveLog(means: StreamMeans, session: RunnerSession, chunk: LogChunk): void {
  const assignment = session.assignments.get(Number(chunk.fence))
  if (!assignment) {
    // The end is stored, with every line, or the lease is over: a runner that waited for these lines would never leave.
    const nextLine = chunk.firstLine + BigInt(chunk.lineCount)
    session.send({ case: 'logAck', value: { fence: chunk.fence, nextLine } })
    return
  }
  if (chunk.lineCount === 0 || chunk.lineCount > MAX_CHUNK_LINES) {
    session.end(status.INVALID_ARGUMENT, 'A log chunk has no lines, or too many.')
    return
  }
  const { lineCount, linesZstd } = chunk
  means.logPump.push(session, assignment, { firstLine: Number(chunk.firstLine), lineCount, linesZstd })
}
