import { randomBytes } from 'node:crypto'
import { readConfig } from '#platform/config'
import { createSealer, type Sealer } from '#platform/crypto'
import type { Database } from '#platform/database'
import { createFacts, type FactsHouse } from '#platform/facts'
import { type FailPoints, noFailPoints } from '#platform/fail-points'
import { createIds } from '#platform/ids'
import { jobs } from '#platform/jobs'
import { createLog, type Log } from '#platform/log'
import { createMetrics } from '#platform/metrics'
import type { Kit } from '#platform/room'
import { type Clock, systemClock } from '#platform/time'

export interface TestKitOptions {
  readonly clock?: Clock
  /** Left out: a silent log. */
  readonly log?: Log
  /** Left out: none is armed. */
  readonly failPoints?: FailPoints
  /** Left out: one with a key of its own. */
  readonly sealer?: Sealer
  /** Options by their environment names. */
  readonly env?: Readonly<Record<string, string>>
}

/** `connect` makes reactions hear of facts, as the house does once its rooms are open. */
export interface TestKit extends Kit {
  readonly connect: FactsHouse['connect']
}

/** A kit as the house makes it, on a test's own database; nothing runs in the background. */
export function createTestKit(database: Database, options: TestKitOptions = {}): TestKit {
  const clock = options.clock ?? systemClock
  const ids = createIds(() => clock.now().getTime())
  const failPoints = options.failPoints ?? noFailPoints
  const { facts, connect } = createFacts({ ids, clock, jobs, failPoints, database })
  return {
    config: readConfig({ env: options.env ?? {}, cwd: '/nonexistent', isTerminal: false }),
    database,
    clock,
    ids,
    facts,
    connect,
    jobs,
    log: options.log ?? createLog({ level: 'silent', pretty: false }),
    sealer: options.sealer ?? createSealer(new Map([[1, randomBytes(32)]])),
    metrics: createMetrics(),
    failPoints,
  }
}
