import type { Queryable } from '#platform/database'
import { type Caller, prefixesOf } from '#platform/http'
import { type Doors, defineRoom } from '#platform/room'
import { createGuesses, registerRefused } from './actions/count-guesses.ts'
import { authenticateRunner, type Enrolled, type EnrollInput, enrollRunner } from './actions/enroll-runner.ts'
import { getVisibleRunner } from './actions/find-runner.ts'
import { type Connections, createConnections } from './actions/keep-connection.ts'
import { runnerProblem } from './errors.ts'
import { runnerTopics } from './live.ts'
import type { Means } from './means.ts'
import { runnerPlanners } from './planners.ts'
import { runnerRoutes } from './routes.ts'
import {
  isReachable,
  type Judgement,
  judge,
  type Runner,
  type RunnerNeed,
  type RunnerState,
  scopeTest,
  stateOf,
} from './rules/index.ts'
import * as store from './store/index.ts'
import { searchRunners } from './store/search-runners.ts'

export type { Enrolled, EnrollInput } from './actions/enroll-runner.ts'
export type { RunnerConnection } from './actions/keep-connection.ts'
export type { Judgement, Runner, RunnerHello, RunnerNeed, RunnerState, UnmetCondition, Verdict } from './rules/index.ts'

export interface Runners extends Connections {
  /** Throws runner.enrollment_refused (401), runner.too_many_guesses (429), runner.hello_refused (400); commits by itself. */
  enroll(input: EnrollInput): Promise<Enrolled>
  /**
   * The runner behind a credential; undefined for any other text and for a removed runner. A disabled one may come. Throws
   * runner.too_many_guesses (429).
   */
  authenticate(db: Queryable, credential: string, address: string): Promise<Runner | undefined>
  /** Every runner there is, connected or not. NOTIFY runners_changed tells what operators and enrolments change. */
  list(db: Queryable): Promise<readonly Runner[]>
  /** Throws 404 for a runner that the caller may not see. */
  findVisible(caller: Caller, id: string): Promise<Runner>
  /** The runner at this moment, with `running` attempts in hand, for `judge`. */
  stateOf(runner: Runner, running: number): RunnerState
  /** The runner holds a stream, and was heard of within its lease. */
  isReachable(runner: Runner): boolean
  /** The runners that can take something now, the best first; or the reason why none can. Pure. */
  judge(need: RunnerNeed, runners: readonly RunnerState[]): Judgement
}

export const runners = defineRoom<Runners, Doors<Means>>({
  name: 'catalog/runners',
  open(kit, needs) {
    const means: Means = { ...kit, ...needs }
    const moment = () => ({ now: kit.clock.now(), leaseMs: kit.config.leaseSeconds * 1000 })
    const db = kit.database.kysely
    const refused = registerRefused(kit.metrics)
    const enrollmentGuesses = createGuesses(kit, {
      what: 'enrollment',
      refused,
      listGood: () => store.listOpenDigests(db, kit.clock.now()),
    })
    const credentialGuesses = createGuesses(kit, {
      what: 'credential',
      refused,
      listGood: () => store.listCredentialDigests(db),
    })
    const compiled = new WeakMap<Runner, (scope: string) => boolean>()
    const servesOf = (runner: Runner): ((scope: string) => boolean) => {
      const known = compiled.get(runner) ?? scopeTest(runner.scopes)
      compiled.set(runner, known)
      return known
    }
    return {
      door: {
        ...createConnections(kit),
        enroll: (input) => enrollRunner(means, enrollmentGuesses, input),
        authenticate: (tx, credential, address) => authenticateRunner(tx, credentialGuesses, credential, address),
        list: store.listAllRunners,
        findVisible: (caller, id) => getVisibleRunner(means, caller, id),
        stateOf: (runner, running) => stateOf(runner, servesOf(runner), running, moment()),
        isReachable: (runner) => isReachable(runner, moment()),
        judge,
      },
      routes: runnerRoutes(means),
      planners: runnerPlanners,
      searches: [
        {
          kind: 'runner',
          find: (caller, wish) => searchRunners(db, prefixesOf(caller, 'runner.read', wish.within), wish),
        },
      ],
      problems: [runnerProblem],
      live: runnerTopics(means),
    }
  },
})
