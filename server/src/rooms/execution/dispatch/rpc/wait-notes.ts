import type { StreamMeans } from '../means.ts'
import type { RunnerSession } from '../sessions/runner-session.ts'
import { readWait } from './read-result.ts'

/**
 * Stores why attempts of one stream wait on their runner. One note is stored at a time; of each attempt only the
 * newest note is kept meanwhile. The last note stands, and a talkative runner fills no memory.
 */
export class WaitNotes {
  readonly #means: StreamMeans
  readonly #session: RunnerSession
  readonly #next = new Map<number, string>()
  #busy = false

  constructor(means: StreamMeans, session: RunnerSession) {
    this.#means = means
    this.#session = session
  }

  /** Never throws. */
  note(fence: number, sentence: string): void {
    const assignment = this.#session.assignments.get(fence)
    if (!assignment || assignment.done || assignment.startedAt !== null) return
    this.#next.set(fence, sentence)
    if (!this.#busy) void this.#store()
  }

  async #store(): Promise<void> {
    this.#busy = true
    const { runs, database, log } = this.#means
    const { id, name } = this.#session.runner
    for (const [fence, sentence] of this.#next) {
      this.#next.delete(fence)
      const reason = sentence === '' ? null : `Waits on runner ${name}. ${readWait(sentence)}`
      try {
        await runs.progress.noteWait(database.kysely, id, { fence, reason })
      } catch (error) {
        log.warn({ err: error, fence }, 'what an attempt waits for could not be stored')
      }
    }
    this.#busy = false
  }
}
