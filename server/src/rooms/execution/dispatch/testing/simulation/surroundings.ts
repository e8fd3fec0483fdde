import type { Agenda, Machine } from './agenda.ts'
import type { Checks } from './checks.ts'
import type { Assignment, Result, Stream } from './network.ts'
import type { Random } from './random.ts'
import type { Store } from './store.ts'

/** The behaviour of an attempt, the same at every time and on every runner. */
export interface Plan {
  readonly durationMs: number
  readonly lines: number
  readonly result: Result
  /** The attempt kills its runner. */
  readonly kills: boolean
  /** The runner cannot begin the attempt and hands it back. */
  readonly handsBack: boolean
}

/** A control plane as runners reach it. */
export interface Reachable {
  readonly machine: Machine
  accept(stream: Stream): void
}

/** A process that can end at any moment, and begin anew. */
export interface Mortal {
  readonly id: string
  readonly machine: Machine
  start(): void
  die(): void
}

/** The part of the world that control planes and runners see. */
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
