import { status } from '@grpc/grpc-js'
import type { Runner, Runners } from '#rooms/catalog/runners'
import type { NewAssignment } from '../rules/assignment.ts'
import { type Lane, readLane } from '../rules/lanes.ts'
import type { Tiers } from '../rules/slots.ts'
import type { RunnerSession } from './runner-session.ts'

const NONE: ReadonlySet<number> = new Set()

/** The runners whose streams end in this process. */
export class RunnerSessions {
  readonly #runners: Runners
  readonly #sessions = new Map<string, RunnerSession>()
  readonly #tiers = new Map<string, Tiers>()

  constructor(runners: Runners) {
    this.#runners = runners
  }

  get all(): Iterable<RunnerSession> {
    return this.#sessions.values()
  }

  find(runnerId: string): RunnerSession | undefined {
    return this.#sessions.get(runnerId)
  }

  /** The second stream of a runner takes the place of the first. */
  connect(session: RunnerSession): void {
    this.#sessions.get(session.runner.id)?.end(status.ABORTED, 'Another stream of this runner took over.')
    this.#sessions.set(session.runner.id, session)
    this.#tiers.clear()
  }

  /** True when it was the runner's stream, and no newer one has come. */
  disconnect(session: RunnerSession): boolean {
    if (this.#sessions.get(session.runner.id) !== session) return false
    this.#sessions.delete(session.runner.id)
    this.#tiers.clear()
    return true
  }

  /**
   * Applies changes of operators. A runner that is not listed was removed, if its session existed when the list was
   * `askedFor`. False: a runner came meanwhile, and the caller must ask for the list again.
   */
  refresh(runners: readonly Runner[], askedFor: ReadonlySet<RunnerSession>): boolean {
    const listed = new Map(runners.map((runner) => [runner.id, runner]))
    let known = true
    for (const session of this.#sessions.values()) {
      const runner = listed.get(session.runner.id)
      if (!runner) {
        if (askedFor.has(session)) session.end(status.UNAUTHENTICATED, 'The runner was removed.')
        else known = false
        continue
      }
      session.runner = runner
      if (runner.draining) session.drain()
    }
    this.#tiers.clear()
    return known
  }

  /** A session began to drain. */
  changed(): void {
    this.#tiers.clear()
  }

  /** `ending`: fences whose results are about to be stored. */
  places(
    ending: ReadonlySet<number> = NONE,
  ): { readonly id: string; readonly capacity: number; readonly busy: number }[] {
    return [...this.#sessions.values()].map((session) => ({
      id: session.runner.id,
      capacity: session.capacity,
      busy: session.busyBut(ending),
    }))
  }

  /** The connected runners that could serve the lane if they had a place. */
  eligible(laneText: string): Tiers {
    const known = this.#tiers.get(laneText)
    if (known) return known
    const lane = readLane(laneText)
    const tiers = lane ? this.#judge(lane) : []
    this.#tiers.set(laneText, tiers)
    return tiers
  }

  #judge({ scope, executor, labels: wanted, runner }: Lane): Tiers {
    const sessions = [...this.#sessions.values()].filter(({ runner: { id } }) => runner === null || id === runner)
    const states = sessions.map((session) => {
      const state = this.#runners.stateOf(session.runner, 0)
      // The stream itself is the proof that it is there, and its places are counted elsewhere.
      return { ...state, draining: state.draining || session.draining, reachable: true, free: 1 }
    })
    const labels = new Map(states.map((state) => [state.id, state.labels.size]))
    const { eligible } = this.#runners.judge({ scope, requirement: { executor, labels: wanted } }, states)
    const byLabels = Map.groupBy(eligible, (id) => labels.get(id) ?? 0)
    return [...byLabels].sort(([a], [b]) => a - b).map(([, ids]) => ids)
  }

  give(assignment: NewAssignment): void {
    this.find(assignment.runnerId)?.assignments.set(assignment.fence, {
      ...assignment,
      startedAt: null,
      storedLines: 0,
      finished: undefined,
      reported: false,
      done: false,
    })
  }

  /** The result is stored. */
  acknowledge(runnerId: string, fence: number): void {
    const session = this.find(runnerId)
    session?.assignments.delete(fence)
    session?.send({ case: 'finishAck', value: { fence: BigInt(fence) } })
  }

  cancel(runnerId: string, fence: number, reason: string): void {
    const session = this.find(runnerId)
    if (session?.assignments.has(fence)) session.send({ case: 'cancel', value: { fence: BigInt(fence), reason } })
  }

  pauseAll(who: string): void {
    for (const session of this.#sessions.values()) session.pause(who)
  }

  resumeAll(who: string): void {
    for (const session of this.#sessions.values()) session.resume(who)
  }

  endAll(): void {
    for (const session of this.#sessions.values()) session.end(status.UNAVAILABLE, 'The control plane is stopping.')
  }
}
