import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { anEvent } from '../contracts/src/event/testing.ts'
import { type Database, openDatabase } from '../server/src/platform/database/index.ts'
import { createLog } from '../server/src/platform/log/index.ts'
import { createTestKit } from '../server/src/platform/testing/test-kit.ts'
import { databaseUrl, startTestServer, TEMPLATE } from '../server/src/platform/testing/test-server.ts'
import { systemClock } from '../server/src/platform/time/index.ts'
import { keepIndex } from '../server/src/rooms/causes/triggers/actions/keep-index.ts'
import { matchEvent } from '../server/src/rooms/causes/triggers/actions/match-event.ts'
import { type IndexedTrigger, TriggerIndex } from '../server/src/rooms/causes/triggers/rules/index.ts'
import { aStoredTrigger } from '../server/src/rooms/causes/triggers/testing.ts'
import type { Figure, Report } from './report.ts'
import { median, percentile } from './stats.ts'

const SIZES = [10, 1_000, 100_000] as const
const ALL = 100_000
/** Of the repository that events are about; all others are of other repositories. */
const OWN = 5
const ROUNDS = 31
const EVENTS_PER_ROUND = 2_000
const CHANGES = 60
const REPOSITORY = 'acme/widgets'

/**
 * The cost of matching with many triggers of other repositories, and the delay until a change is live; the room alone.
 */
export async function benchMatching(): Promise<Report> {
  const matching = measureMatching()
  const server = await startTestServer()
  const url = databaseUrl(server.url, TEMPLATE)
  const log = createLog({ level: 'silent', pretty: false })
  const database = openDatabase({ url, poolSize: 4, log, clock: systemClock })
  try {
    await storeTriggers(url)
    const changing = await measureChanges(database, url)
    return {
      name: 'matching',
      says: `${OWN} triggers of the event's repository among many of others; ${EVENTS_PER_ROUND} events a round, ${ROUNDS} rounds in turn`,
      figures: [...matching, ...changing],
    }
  } finally {
    await database.close()
    await server.stop()
  }
}

function measureMatching(): Figure[] {
  const event = anEvent()
  const context = { sourceId: null, visibleTo: () => true }
  const subjects = SIZES.map((size) => ({ size, index: anIndex(size), times: [] as number[] }))
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { index, times } of subjects) {
      const started = performance.now()
      for (let count = 0; count < EVENTS_PER_ROUND; count += 1) matchEvent(index.find(REPOSITORY), event, context)
      // The first round makes ready what later ones use.
      if (round > 0) times.push(((performance.now() - started) * 1_000) / EVENTS_PER_ROUND)
    }
  }
  const [few] = subjects
  const ratios = (times: readonly number[]) => times.map((time, at) => time / (few?.times[at] ?? time))
  return [
    ...subjects.map(({ size, times }) => ({
      what: `an event among ${size} triggers`,
      value: median(times),
      unit: 'µs',
    })),
    ...subjects.slice(1).map(({ size, times }) => ({
      what: `the same, against ${SIZES[0]} triggers`,
      value: median(ratios(times)),
      unit: `x (${size})`,
      atMost: 1.5,
    })),
  ]
}

function anIndex(size: number): TriggerIndex {
  const index = new TriggerIndex()
  for (let at = 0; at < size; at += 1) index.put(aTriggerAt(at))
  return index
}

function aTriggerAt(at: number): IndexedTrigger {
  const own = at < OWN
  const names = [`other-${at}/r${at}`, `acme/r${at}`, `acme/team-${at}-*`, `owner-${at}/*`]
  return aStoredTrigger({
    id: `01900000-0000-7000-8000-${String(at).padStart(12, '0')}`,
    name: `t${at}`,
    repositories: [own ? REPOSITORY : (names[at % names.length] ?? '')],
    branches: ['main', 'release/**'],
    paths: ['src/**', '!**/*.md'],
    condition: own && at % 2 === 0 ? 'event.forced != true' : null,
  })
}

async function storeTriggers(url: string): Promise<void> {
  await ask(
    url,
    `insert into teams (id, path, name, created_at, updated_at)
       values ('01900000-0000-7000-8000-000000000000', 'acme', 'acme', now(), now())`,
  )
  await ask(
    url,
    `insert into triggers (id, team_path, name, repositories, events, actions, branches, tags, paths, labels, draft,
       commands, commenters, skip_ci, pipeline, scope, variables, enabled, owner_kind, owner_id, owner_name, created_at, updated_at)
     select ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'acme', 't' || n,
       array[(array['other-' || n || '/r' || n, 'acme/r' || n, 'acme/team-' || n || '-*', 'owner-' || n || '/*'])[n % 4 + 1]],
       '{push,pull_request}', '{}', '{main,release/**}', '{}', '{src/**,!**/*.md}', '{}', 'any', '{}', '{}', true,
       'acme/build', 'acme/staging', '{"BRANCH": "\${{ event.branch }}"}', true, 'user',
       '01900000-0000-7000-8000-000000000001', 'mona', now(), now()
     from generate_series(1, ${ALL}) as n`,
  )
}

async function measureChanges(database: Database, url: string): Promise<Figure[]> {
  const before = heapMegabytes()
  const copy = keepIndex(createTestKit(database))
  try {
    await database.notifications.ready()
    // The time that this machine takes away from an idle process.
    const idle = monitorEventLoopDelay({ resolution: 1 })
    idle.enable()
    await sleep(3_000)
    idle.disable()
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const started = performance.now()
    // The copy waits for a load of this size no longer than a request would; the load goes on meanwhile.
    let index = await copy.get().catch(() => undefined)
    while (!index) index = await copy.get().catch(() => undefined)
    const loadedMs = performance.now() - started
    delay.disable()
    const memory = heapMegabytes() - before
    const times: number[] = []
    for (let round = 0; round < CHANGES; round += 1) times.push(await timeChange(copy, url, round))
    return [
      { what: `all ${ALL} read at the start`, value: loadedMs, unit: 'ms' },
      // The sampling interval itself is part of each sample.
      {
        what: 'times in which nothing else ran meanwhile, p99',
        value: blocked(delay.percentile(99)),
        unit: 'ms',
        atMost: 20,
      },
      { what: 'the longest of them', value: blocked(delay.max), unit: 'ms' },
      { what: 'the longest of a process that does nothing', value: blocked(idle.max), unit: 'ms' },
      { what: `memory of ${ALL} triggers`, value: memory, unit: 'MB' },
      {
        what: 'from the commit of a change by another process until it is live, p50',
        value: percentile(times, 0.5),
        unit: 'ms',
      },
      { what: 'the same, p99', value: percentile(times, 0.99), unit: 'ms', atMost: 100 },
    ]
  } finally {
    copy.close()
  }
}

function blocked(sampledNs: number): number {
  return Math.max(0, sampledNs / 1e6 - 1)
}

/** From the answer to the change until the index has it, without asking the index to hurry. */
async function timeChange(copy: ReturnType<typeof keepIndex>, url: string, round: number): Promise<number> {
  const branch = `b${round}`
  await ask(url, `update triggers set branches = '{${branch}}' where name = 't1'`)
  const started = performance.now()
  for (;;) {
    const found = (await copy.get()).find('acme/r1')[0]
    if (found?.trigger.branches[0] === branch) return performance.now() - started
    await turn()
  }
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function heapMegabytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed / 2 ** 20
}
