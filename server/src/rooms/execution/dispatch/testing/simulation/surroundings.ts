import type { Agenda, Machine } from './agenda.ts'
import type { Checks } from './checks.ts'
import type { Assignment, Result, Stream } from './network.ts'
import type { Random } from './random.ts'
import type { Store } from './store.ts'

/** What a task will do, whenever and wherever this attempt of it runs. */
export interface Plan {
  readonly durationMs: number
  readonly lines: number
  readonly result: Result
  /** It takes its runner down with it. */
  readonly kills: boolean
  /** Its runner finds that it cannot begin it: it hands it back. */
  readonly handsBack: boolean
}

/** A control plane as runners reach it. */
export interface Reachable {
  readonly machine: Machine
  accept(stream: Stream): void
}

/** What can end at any moment, and begin anew. */
export interface Mortal {
  readonly id: string
  readonly machine: Machine
  start(): void
  die(): void
}

/** What control planes and runners see of the world. */
export interface Surroundings {
  readonly agenda: Agenda
  readonly random: Random
  readonly store: Store
  readonly checks: Checks
  readonly planes: readonly Reachable[]
  readonly nextId: () => string
  choosePlane(): Reachable | undefined
  connect(plane: Reachable, runner: Machine): Stream
  plan(assignment: Assignment): Plan
  crash(runner: Mortal): void
}
