import { status } from '@grpc/grpc-js'
import { isUnavailable } from '#platform/database'
import type { Kit } from '#platform/room'
import type { ArrivedChunk, Logs } from '#rooms/execution/logs'
import type { Assignment, RunnerSession } from '../rpc/runner-session.ts'

interface Arrived {
  readonly session: RunnerSession
  readonly assignment: Assignment
  readonly chunk: ArrivedChunk
}

export interface LogPumpNeeds {
  readonly logs: Pick<Logs, 'append'>
  /** Called when lines of an attempt were stored. */
  readonly stored: (session: RunnerSession, assignment: Assignment) => void
  readonly counted: (lines: number, bytes: number) => void
}

/** Above it the stream that filled it is not read on; below half of it all are. */
const MAX_BYTES = 32 * 1024 * 1024
const BATCH_CHUNKS = 512
const BATCH_BYTES = 4 * 1024 * 1024
const RETRY_MS = 250

/** Stores the lines of all streams together: whatever arrives while one statement is under way goes into the next. */
export class LogPump {
  readonly #kit: Kit
  readonly #needs: LogPumpNeeds
  readonly #pending: Arrived[] = []
  readonly #held = new Set<RunnerSession>()
  #bytes = 0
  #running: Promise<void> | undefined
  #closed = false

  constructor(kit: Kit, needs: LogPumpNeeds) {
    this.#kit = kit
    this.#needs = needs
  }

  push(session: RunnerSession, assignment: Assignment, chunk: Omit<ArrivedChunk, 'attemptId' | 'runId'>): void {
    const { attemptId, runId } = assignment
    this.#pending.push({ session, assignment, chunk: { ...chunk, attemptId, runId } })
    this.#bytes += chunk.linesZstd.length
    if (this.#bytes > MAX_BYTES) {
      this.#held.add(session)
      session.hold('log')
    }
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  /** Resolves when what has arrived is stored or, with the database away, given up: the runners will send it again. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#take()
      while (!(await this.#store(batch))) {
        if (this.#closed) return
        await this.#kit.clock.sleep(RETRY_MS)
      }
      this.#bytes -= batch.reduce((sum, { chunk }) => sum + chunk.linesZstd.length, 0)
      if (this.#bytes < MAX_BYTES / 2) {
        for (const session of this.#held) session.release('log')
        this.#held.clear()
      }
    }
  }

  #take(): Arrived[] {
    let bytes = 0
    let count = 0
    for (const { chunk } of this.#pending) {
      if (count > 0 && (count >= BATCH_CHUNKS || bytes + chunk.linesZstd.length > BATCH_BYTES)) break
      bytes += chunk.linesZstd.length
      count += 1
    }
    return this.#pending.splice(0, count)
  }

  /** False when the database is away and the batch must be tried again. */
  async #store(batch: readonly Arrived[]): Promise<boolean> {
    try {
      this.#kit.failPoints.hit('logs.before_commit')
      const next = await this.#needs.logs.append(
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
    const bySession = new Map<Assignment, RunnerSession>()
    for (const { session, assignment, chunk } of batch) {
      const stored = next.get(chunk.attemptId) ?? 0
      // A line is missing before it: on a new stream the runner sends from where we are.
      if (chunk.firstLine + chunk.lineCount > stored) session.end(status.ABORTED, 'A log has a gap.')
      else this.#needs.counted(chunk.lineCount, chunk.linesZstd.length)
      bySession.set(assignment, session)
    }
    for (const [assignment, session] of bySession) {
      const stored = next.get(assignment.attemptId) ?? 0
      assignment.storedLines = Math.max(assignment.storedLines, stored)
      session.send({ case: 'logAck', value: { fence: BigInt(assignment.fence), nextLine: BigInt(stored) } })
      this.#needs.stored(session, assignment)
    }
  }
}
