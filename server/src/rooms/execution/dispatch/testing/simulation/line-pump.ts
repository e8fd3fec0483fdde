import type { Machine } from './agenda.ts'
import type { Session, TrackedAssignment } from './sessions.ts'
import type { Surroundings } from './surroundings.ts'

const RETRY_MS = 250

interface Chunk {
  readonly session: Session
  readonly assignment: TrackedAssignment
  readonly firstLine: number
  readonly lines: readonly string[]
}

/** Stores lines as the pump of the dispatcher does: what comes while it stores goes with the next. */
export class LinePump {
  readonly #world: Surroundings
  readonly #machine: Machine
  readonly #stored: (session: Session, assignment: TrackedAssignment) => void
  #chunks: Chunk[] = []
  #pumping = false

  constructor(
    world: Surroundings,
    machine: Machine,
    stored: (session: Session, assignment: TrackedAssignment) => void,
  ) {
    this.#world = world
    this.#machine = machine
    this.#stored = stored
  }

  push(chunk: Chunk): void {
    this.#chunks.push(chunk)
    this.#pump()
  }

  /** The process has died. */
  forget(): void {
    this.#chunks = []
    this.#pumping = false
  }

  #pump(): void {
    if (this.#pumping || this.#chunks.length === 0) return
    this.#pumping = true
    const { store, random } = this.#world
    const flush = () => {
      if (store.away) {
        this.#machine.after(RETRY_MS, flush)
        return
      }
      const stored = this.#chunks.splice(0).map((chunk) => {
        const next = store.append(chunk.assignment.attempt.id, chunk.firstLine, chunk.lines)
        return { ...chunk, next }
      })
      this.#machine.after(random.between(0, 10), () => {
        for (const { session, assignment, firstLine, lines, next } of stored) {
          if (firstLine + lines.length > next) session.stream.end()
          assignment.storedLines = Math.max(assignment.storedLines, next)
          session.stream.sendToRunner({ type: 'log_ack', fence: assignment.fence, nextLine: next })
          this.#stored(session, assignment)
        }
        this.#pumping = false
        this.#pump()
      })
    }
    this.#machine.after(random.between(0, 20), flush)
  }
}
