import { status } from '@grpc/grpc-js'
import { isUnavailable } from '#platform/database'
import type { Kit } from '#platform/room'
import type { ArrivedChunk, Logs } from '#rooms/execution/logs'
import type { RunnerSession, TrackedAssignment } from './runner-session.ts'

interface Arrived {
  readonly session: RunnerSession
  readonly assignment: TrackedAssignment
  readonly chunk: ArrivedChunk
}

/** Behind the last chunk of an attempt that has ended: so many lines it wrote, says its runner. */
interface Ended {
  readonly session: RunnerSession
  readonly assignment: TrackedAssignment
  readonly lineCount: number
}

/** A log has a gap, and its runner was told where to go on. */
interface Refusal {
  readonly nextLine: number
  /** The streams on which it came with the same gap. */
  readonly sessions: WeakSet<RunnerSession>
  count: number
}

export interface LogPumpPorts {
  readonly logs: Logs
  /** Called when lines of an attempt were stored. */
  readonly stored: (session: RunnerSession, assignment: TrackedAssignment) => void
  readonly counted: (lines: number, bytes: number) => void
}

/** Above it the stream that filled it is not read on; below half of it all are. */
const MAX_BYTES = 32 * 1024 * 1024
const BATCH_CHUNKS = 512
const BATCH_BYTES = 4 * 1024 * 1024
const RETRY_MS = 250
/** A runner that comes back so often without the lines that are missing has lost them. */
const MOST_REFUSALS = 2

/** Stores the lines of all streams together: whatever arrives while one statement is under way goes into the next. */
export class LogPump {
  readonly #kit: Kit
  readonly #ports: LogPumpPorts
  readonly #pending: (Arrived | Ended)[] = []
  /** By attempt. */
  readonly #refusals = new Map<string, Refusal>()
  readonly #paused = new Set<RunnerSession>()
  #bytes = 0
  #running: Promise<void> | undefined
  #closed = false

  constructor(kit: Kit, ports: LogPumpPorts) {
    this.#kit = kit
    this.#ports = ports
  }

  push(session: RunnerSession, assignment: TrackedAssignment, chunk: Omit<ArrivedChunk, 'attemptId' | 'runId'>): void {
    const { attemptId, runId } = assignment
    const afterLoss = this.#isLost(session, attemptId, chunk.firstLine)
    this.#pending.push({ session, assignment, chunk: { ...chunk, attemptId, runId, afterLoss } })
    this.#bytes += chunk.linesZstd.length
    if (this.#bytes > MAX_BYTES) {
      this.#paused.add(session)
      session.pause('log')
    }
    this.#wake()
  }

  /** The attempt has ended: no chunk of it comes after those that were pushed. */
  end(session: RunnerSession, assignment: TrackedAssignment, lineCount: number): void {
    this.#pending.push({ session, assignment, lineCount })
    this.#wake()
  }

  /** Resolves when what has arrived is stored or, with the database away, given up: the runners will send it again. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#running
  }

  #wake(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  async #run(): Promise<void> {
    while (this.#pending.length > 0) {
      const [first] = this.#pending
      if (first && 'lineCount' in first) {
        while (!(await this.#finish(first))) {
          if (this.#closed) return
          await this.#kit.clock.sleep(RETRY_MS)
        }
        this.#pending.shift()
        continue
      }
      const batch = this.#take()
      while (!(await this.#store(batch))) {
        if (this.#closed) return
        await this.#kit.clock.sleep(RETRY_MS)
      }
      this.#bytes -= batch.reduce((sum, { chunk }) => sum + chunk.linesZstd.length, 0)
      if (this.#bytes < MAX_BYTES / 2) {
        for (const session of this.#paused) session.resume('log')
        this.#paused.clear()
      }
    }
  }

  #take(): Arrived[] {
    let bytes = 0
    const batch: Arrived[] = []
    for (const item of this.#pending) {
      if ('lineCount' in item || batch.length >= BATCH_CHUNKS) break
      bytes += item.chunk.linesZstd.length
      if (batch.length > 0 && bytes > BATCH_BYTES) break
      batch.push(item)
    }
    this.#pending.splice(0, batch.length)
    return batch
  }

  /** All lines of an ended attempt should be stored by now. False when the database is away and it must be tried again. */
  async #finish({ session, assignment, lineCount }: Ended): Promise<boolean> {
    const { attemptId, storedLines } = assignment
    if (storedLines >= lineCount) {
      this.#refusals.delete(attemptId)
      return true
    }
    if (!this.#isLost(session, attemptId, lineCount)) {
      this.#refuse(session, attemptId, storedLines)
      return true
    }
    try {
      assignment.storedLines = await this.#ports.logs.giveUp(this.#kit.database.kysely, assignment, lineCount)
      this.#kit.log.warn({ attemptId, lines: lineCount - storedLines }, 'a runner has lost lines of a log')
      this.#refusals.delete(attemptId)
      this.#ports.stored(session, assignment)
      return true
    } catch (error) {
      if (isUnavailable(error)) return false
      this.#kit.log.error({ err: error, attemptId }, 'that lines are lost could not be stored')
      session.end(status.INTERNAL, 'Lines of a log could not be stored.')
      return true
    }
  }

  /** Whether its runner was told often enough that lines before this one are missing. */
  #isLost(session: RunnerSession, attemptId: string, line: number): boolean {
    const refusal = this.#refusals.get(attemptId)
    if (!refusal || refusal.count < MOST_REFUSALS || refusal.sessions.has(session)) return false
    return line > refusal.nextLine
  }

  /** A line is missing: on a new stream the runner sends from where we are. */
  #refuse(session: RunnerSession, attemptId: string, nextLine: number): void {
    const known = this.#refusals.get(attemptId)
    const refusal = known?.nextLine === nextLine ? known : { nextLine, sessions: new WeakSet(), count: 0 }
    if (!refusal.sessions.has(session)) {
      refusal.sessions.add(session)
      refusal.count += 1
    }
    this.#refusals.set(attemptId, refusal)
    session.end(status.ABORTED, 'A log has a gap.')
  }

  /** False when the database is away and the batch must be tried again. */
  async #store(batch: readonly Arrived[]): Promise<boolean> {
    try {
      this.#kit.failPoints.hit('logs.before_commit')
      const next = await this.#ports.logs.append(
        this.#kit.database.kysely,
        batch.map(({ chunk }) => chunk),
      )
      this.#kit.failPoints.hit('logs.after_commit')
      this.#acknowledge(batch, next)
      return true
    } catch (error) {
      if (isUnavailable(error)) return false
      if (batch.length > 1) {
        // One chunk that the database refuses must not stand in the way of the others.
        for (const one of batch) if (!(await this.#store([one]))) return false
        return true
      }
      const [refused] = batch
      this.#kit.log.error({ err: error, attemptId: refused?.chunk.attemptId }, 'lines of a log could not be stored')
      refused?.session.end(status.INTERNAL, 'Lines of a log could not be stored.')
      return true
    }
  }

  #acknowledge(batch: readonly Arrived[], next: ReadonlyMap<string, number>): void {
    const bySession = new Map<TrackedAssignment, RunnerSession>()
    for (const { session, assignment, chunk } of batch) {
      const stored = next.get(chunk.attemptId) ?? 0
      if (chunk.firstLine + chunk.lineCount > stored) this.#refuse(session, chunk.attemptId, stored)
      else {
        this.#refusals.delete(chunk.attemptId)
        this.#ports.counted(chunk.lineCount, chunk.linesZstd.length)
      }
      bySession.set(assignment, session)
    }
    for (const [assignment, session] of bySession) {
      const stored = next.get(assignment.attemptId) ?? 0
      assignment.storedLines = Math.max(assignment.storedLines, stored)
      session.send({ case: 'logAck', value: { fence: BigInt(assignment.fence), nextLine: BigInt(stored) } })
      this.#ports.stored(session, assignment)
    }
  }
}
