import type { Graph } from '@signalbox/pipeline/graph'
import { isTerminalRun } from '@signalbox/pipeline/status'
import { aGraph, anApproval, aStep, aTask } from '../../../../../../../pipeline/src/status/testing/index.ts'
import { Agenda, type Machine } from './agenda.ts'
import { Checks } from './checks.ts'
import { ControlPlane } from './control-plane.ts'
import { type Assignment, type Result, Stream } from './network.ts'
import { Random } from './random.ts'
import { SimulatedRunner } from './runner.ts'
import { type Rules, Store } from './store.ts'
import type { Mortal, Plan, Reachable, Surroundings } from './surroundings.ts'

const FAULTS_END = 40_000
/** All runs are queued by then. */
const BEGUN_BY = 10_000
/** Messages that are still under way when the last run ends come late, and must change nothing. */
const LATE_MS = 6_000
const END = 260_000

/** Everything that one seed makes: what is to be done, who does it, and what goes wrong meanwhile. */
export class World implements Surroundings {
  readonly agenda = new Agenda()
  readonly random: Random
  readonly store: Store
  readonly checks: Checks
  readonly planes: readonly ControlPlane[]
  readonly runners: readonly SimulatedRunner[]
  readonly #plans = new Map<string, Plan>()
  readonly #diary: string[] = []
  #ids = 0

  constructor(seed: number, rules: Rules) {
    this.random = new Random(seed)
    this.checks = new Checks(this.agenda)
    this.store = new Store(rules, this.checks)
    this.checks.watch(this.store)
    this.planes = Array.from({ length: this.random.between(1, 2) }, () => new ControlPlane(this))
    this.runners = Array.from({ length: this.random.between(1, 3) }, (_, at) => {
      return new SimulatedRunner(this, `runner-${at}`, this.random.between(1, 2))
    })
  }

  readonly nextId = (): string => String(++this.#ids).padStart(6, '0')

  /** Faults in their order, for who reads a failure. */
  get diary(): readonly string[] {
    return this.#diary
  }

  /** Lets it all happen. Throws Violation. */
  run(): void {
    this.#queueRuns()
    for (const machine of [...this.planes, ...this.runners])
      this.agenda.after(this.random.between(0, 500), () => machine.start())
    this.#planFaults()
    let over = Number.POSITIVE_INFINITY
    while (this.agenda.step(END)) {
      if (!this.#isOver()) over = Number.POSITIVE_INFINITY
      else over = Math.min(over, this.agenda.now)
      if (this.agenda.now - Math.max(over, BEGUN_BY) > LATE_MS) break
    }
    this.checks.atTheEnd(this.store)
  }

  #isOver(): boolean {
    for (const { state, cancelRequested } of this.store.runs.values()) {
      if (state === undefined ? !cancelRequested : !isTerminalRun(state.status)) return false
    }
    for (const { status } of this.store.attempts.values()) if (status === 'waiting' || status === 'leased') return false
    return true
  }

  // The questions of control planes and runners.

  choosePlane(): ControlPlane | undefined {
    const up = this.planes.filter(({ machine }) => machine.up)
    return up[this.random.between(0, Math.max(0, up.length - 1))]
  }

  connect(plane: Reachable, runner: Machine): Stream {
    const stream = new Stream(plane.machine, runner, this.random, () => this.agenda.now)
    plane.accept(stream)
    return stream
  }

  plan({ runId, step, task, number }: Assignment): Plan {
    const key = `${runId}/${step}/${task}/${number}`
    const known = this.#plans.get(key)
    if (known !== undefined) return known
    const { random } = this
    const durationMs = random.pick(random.between(10, 400), random.between(400, 4_000), random.between(4_000, 22_000))
    const plan = {
      durationMs,
      lines: random.between(0, 4),
      result: random.pick<Result>('success', 'success', 'success', 'failure', 'timed_out'),
      kills: random.chance(0.06),
      // Drawn from what is drawn already: the seeds that found something stay what they are.
      handsBack: Math.floor(durationMs) % 14 === 0,
    }
    this.#plans.set(key, plan)
    return plan
  }

  crash(runner: Mortal): void {
    if (!runner.machine.up) return
    this.#note(`${runner.id} crashes`)
    runner.die()
    this.agenda.after(this.random.between(50, 12_000), () => this.#startRunner(runner))
  }

  #startRunner(runner: Mortal): void {
    if (runner.machine.up) return
    this.#note(`${runner.id} starts again`)
    runner.start()
  }

  // The work.

  #queueRuns(): void {
    for (let at = this.random.between(1, 3); at > 0; at--) {
      const id = `run-${at}`
      const graph = this.#makeGraph()
      this.agenda.after(this.random.between(0, BEGUN_BY), () => {
        const fresh = { revision: 0, state: undefined, cancelRequested: false, deadlineAt: null, due: new Map() }
        this.store.runs.set(id, { id, graph, ...fresh })
      })
      if (this.random.chance(0.15)) this.agenda.after(this.random.between(500, 30_000), () => this.#cancel(id))
    }
    const think = () => {
      for (const [key, decision] of this.store.approvals) {
        if (decision !== null || !this.random.chance(0.3)) continue
        this.store.approvals.set(key, this.random.pick('approved', 'approved', 'approved', 'rejected', 'late'))
      }
      this.agenda.after(1_500, think)
    }
    think()
  }

  #makeGraph(): Graph {
    const { random } = this
    const steps = Array.from({ length: random.between(1, 3) }, (_, at) => {
      const dependsOn = at > 0 && random.chance(0.7) ? [`s${random.between(0, at - 1)}`] : []
      const given = {
        dependsOn,
        when: random.pick('success', 'success', 'always', 'failure'),
        ignoreFailure: random.chance(0.2),
        timeoutMs: random.chance(0.1) ? random.between(2_000, 20_000) : null,
      } as const
      if (random.chance(0.15)) return anApproval(`s${at}`, given)
      const tasks = Array.from({ length: random.between(1, 2) }, (__, taskAt) =>
        aTask(`t${taskAt}`, {
          idempotent: random.chance(0.5),
          retry: { attempts: random.between(1, 3), backoffMs: random.pick(0, 700), exitCodes: null },
          dependsOn: taskAt > 0 && random.chance(0.5) ? ['t0'] : [],
        }),
      )
      return aStep(`s${at}`, { ...given, tasks })
    })
    return { ...aGraph(...steps), timeoutMs: random.chance(0.15) ? random.between(3_000, 40_000) : null }
  }

  #cancel(id: string): void {
    const run = this.store.runs.get(id)
    if (run === undefined || this.store.away || this.store.isLocked(id)) return
    this.#note(`${id} is canceled`)
    run.cancelRequested = true
  }

  // The faults.

  #planFaults(): void {
    for (let count = this.random.between(0, 5); count > 0; count--) {
      this.agenda.after(this.random.between(200, FAULTS_END), () => this.#breakSomething())
    }
  }

  #breakSomething(): void {
    const { random } = this
    const plane = this.planes[random.between(0, this.planes.length - 1)]
    const runner = this.runners[random.between(0, this.runners.length - 1)]
    if (plane === undefined || runner === undefined) return
    const ms = random.pick(random.between(50, 2_000), random.between(2_000, 28_000))
    const heal = (name: string, work: () => void) => {
      this.#note(`${name} for ${ms} ms`)
      this.agenda.after(ms, work)
    }
    const planeName = `plane-${this.planes.indexOf(plane)}`
    switch (random.between(0, 6)) {
      case 0:
      case 1:
        if (!plane.machine.up) return
        plane.die()
        heal(`${planeName} is killed`, () => plane.start())
        break
      case 2:
        if (!plane.machine.up || plane.machine.frozen) return
        plane.machine.freeze()
        heal(`${planeName} is stopped`, () => plane.machine.thaw())
        break
      case 3:
        this.crash(runner)
        break
      case 4:
        if (!runner.machine.up || runner.machine.frozen) return
        runner.freeze()
        heal(`${runner.id} is stopped`, () => runner.machine.thaw())
        break
      case 5:
        if (!runner.reachable) return
        runner.cutOff()
        heal(`${runner.id} is cut off`, () => (runner.reachable = true))
        break
      default:
        if (this.store.away) return
        this.store.away = true
        heal('the database is away', () => (this.store.away = false))
    }
  }

  #note(what: string): void {
    this.#diary.push(`${Math.round(this.agenda.now)} ms: ${what}`)
  }
}
