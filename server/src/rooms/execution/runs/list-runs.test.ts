import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Tx } from '#platform/database'
import { createTestDatabase } from '#platform/testing'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { countByStatus } from './store/count-runs.ts'
import { findSuccessElsewhere, findSuccessInScope, listUsualTimes } from './store/last-success.ts'
import { listRuns, type RunFilter } from './store/list-runs.ts'
import { findOutcomeRun, listSucceeded } from './store/run-outcome.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const RUNS = 100_000
/** One run is queued each millisecond from here on. */
const FIRST_MS = 0x0190_0000_0000
const timeOf = (run: number): Date => new Date(FIRST_MS + run)
/** Of the run 12345. */
const COMMIT = `${createHash('md5').update('12345').digest('hex')}00000000`

const [RARE_TRIGGER, EVEN, ODD, SCHEDULE] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]

const filter = (some: Partial<RunFilter>): RunFilter => ({
  prefixes: ['/'],
  before: undefined,
  limit: 50,
  ...some,
})

before(async () => {
  await aTeam(db, 'acme/web')
  const { id, versionId } = await aPipeline(db, 'acme/web/build')
  // 40 teams; the runs of acme/rare are the oldest hundred of all, those of the branch `once` are ten;
  // the failures are ten old ones.
  await sql`
    insert into runs (id, team_path, pipeline_id, pipeline_version_id, pipeline_identifier, pipeline_name,
      pipeline_version, scope, requirement, profile_environment, status, cause, initiator_kind, initiator_id,
      initiator_name, variables, branch, commit_sha, repository, pull_request, trigger_id, schedule_id, queued_at,
      finished_at)
    select (lpad(to_hex(${sql.lit(FIRST_MS / 65_536)} + n / 65536), 8, '0') || '-' || lpad(to_hex(n % 65536), 4, '0')
        || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
      case when n < 100 then 'acme/rare' else 'acme/team' || (n % 40) end, ${id}, ${versionId}, 'acme/web/build',
      'build', 1, case when n between 200 and 209 then 'acme/web/once' else 'acme/web/production' end,
      '{"executor": "host", "labels": []}', '{}',
      case when n between 100 and 109 then 'failure' when n between 150 and 154 then 'timed_out' else 'success' end,
      case when n between 500 and 509 then 'schedule' else 'event' end, 'system',
      case when n between 400 and 409 then 'anna' when n % 2 = 0 then 'even' else 'odd' end, 's', '{}', case when n % 10000 = 0 then 'once' else 'main' end,
      md5(n::text) || '00000000', case when n between 300 and 309 then 'acme/once' else 'acme/shop' end,
      case when n between 600 and 609 then 7 end,
      case when n between 500 and 509 then null when n between 700 and 709 then ${RARE_TRIGGER}::uuid
        when n % 2 = 0 then ${EVEN}::uuid else ${ODD}::uuid end,
      case when n between 500 and 509 then ${SCHEDULE}::uuid end, now(), now()
    from generate_series(1, ${sql.lit(RUNS)}) as n`.execute(db)
  await sql`analyze runs`.execute(db)
})

/** How many rows of `runs` the server looked at to answer, as its own counters say. */
const rowsLookedAt = (ask: (tx: Tx) => Promise<unknown>): Promise<number> =>
  database.transaction(async (tx) => {
    const counted = await countedSoFar(tx)
    await ask(tx)
    return (await countedSoFar(tx)) - counted
  })

/** Of this session. A row that a scan of an index fetches counts for the index. */
async function countedSoFar(tx: Tx): Promise<number> {
  const { rows } = await sql<{ looked: number }>`
    select pg_stat_get_xact_tuples_returned('runs'::regclass) + pg_stat_get_xact_tuples_fetched('runs'::regclass)
      + (select sum(pg_stat_get_xact_tuples_fetched(indexrelid)) from pg_index where indrelid = 'runs'::regclass)
      as looked`.execute(tx)
  return Number(rows[0]?.looked)
}

describe(`a list of ${RUNS} runs`, () => {
  const views: Record<string, Partial<RunFilter>> = {
    'everything that there is': {},
    'the branch of a few old runs': { branch: 'once' },
    'the teams below one': { prefixes: ['acme'] },
    'a team whose runs are old': { prefixes: ['acme/rare'] },
    'a branch below one team': { prefixes: ['acme'], branch: 'once' },
    'the few that failed': { statuses: ['failure'] },
    'a status that no run has': { statuses: ['paused'] },
    'the queue': { statuses: ['queued'] },
    'the queue below one team': { prefixes: ['acme'], statuses: ['queued'] },
    'those that failed below one team': { prefixes: ['acme'], statuses: ['failure'] },
    'a commit by its first characters': { commit: COMMIT.slice(0, 10) },
    'a commit below one team': { prefixes: ['acme'], commit: COMMIT },
    'a scope with a few old runs': { scope: 'acme/web/once' },
    'a scope below one team': { prefixes: ['acme'], scope: 'acme/web/once' },
    'a repository with a few old runs': { repository: 'acme/once' },
    'a repository below one team': { prefixes: ['acme'], repository: 'acme/once' },
    'the oldest by their time': { until: timeOf(60) },
    'a time of which no run is': { prefixes: ['acme'], since: timeOf(200_000) },
    'an old time below one team': { prefixes: ['acme'], until: timeOf(60) },
    'an initiator of a few old runs': { initiatorId: 'anna' },
    'an initiator below one team': { prefixes: ['acme'], initiatorId: 'anna' },
    'an initiator who started nothing': { initiatorId: 'nobody' },
    'a rare cause': { cause: 'schedule' },
    'a cause that no run has': { prefixes: ['acme'], cause: 'external' },
    'a rare cause below one team': { prefixes: ['acme'], cause: 'schedule' },
    'a pull request': { pullRequest: 7 },
    'a pull request below one team': { prefixes: ['acme'], pullRequest: 7, repository: 'acme/shop' },
    'a trigger with a few old runs': { triggerId: RARE_TRIGGER },
    'a trigger below one team': { prefixes: ['acme'], triggerId: RARE_TRIGGER },
    'a schedule': { scheduleId: SCHEDULE },
    'several statuses': { statuses: ['failure', 'timed_out', 'queued', 'running'] },
    'several statuses below one team': { prefixes: ['acme'], statuses: ['failure', 'timed_out', 'running'] },
    'everything that ended badly, of a branch': { branch: 'main', statuses: ['failure', 'timed_out', 'canceled'] },
    'many filters at once': {
      branch: 'main',
      cause: 'event',
      initiatorId: 'even',
      repository: 'acme/shop',
      triggerId: EVEN,
      scope: 'acme/web/production',
      since: timeOf(0),
      until: timeOf(RUNS),
      statuses: ['success', 'failure'],
    },
    'many filters below one team': {
      prefixes: ['acme'],
      branch: 'main',
      cause: 'event',
      initiatorId: 'anna',
      repository: 'acme/shop',
    },
    'several teams': { prefixes: ['acme/team1', 'acme/team2', 'nobody'] },
  }
  for (const [name, some] of Object.entries(views)) {
    test(`answers ${name} without looking at all of them`, async () => {
      const looked = await rowsLookedAt((tx) => listRuns(tx, filter(some)))
      assert.ok(looked < RUNS / 20, `looked at ${looked} rows`)
    })
  }

  test('looks at each run once where many match each filter and none matches both', async () => {
    for (const prefixes of [['/'], ['acme']]) {
      const some = { prefixes, initiatorId: 'even', triggerId: ODD }
      const looked = await rowsLookedAt((tx) => listRuns(tx, filter(some)))
      assert.ok(looked <= RUNS * 1.1, `looked at ${looked} rows`)
    }
  })

  test('has its last successes and usual times without looking at all of them', async () => {
    const { id: pipeline_id } = await db.selectFrom('pipelines').select('id').executeTakeFirstOrThrow()
    const [newest] = await listRuns(db, filter({ limit: 1 }))
    const run = { id: newest?.id ?? '', pipeline_id, scope: 'acme/web/production', branch: 'once', pull_request: null }
    const gone = { ...run, scope: 'acme/web/gone' }
    for (const ask of [
      (tx: Tx) => findSuccessInScope(tx, run),
      (tx: Tx) => findSuccessElsewhere(tx, gone),
      (tx: Tx) => listUsualTimes(tx, run, 10),
    ]) {
      const looked = await rowsLookedAt(ask)
      assert.ok(looked < RUNS / 20, `looked at ${looked} rows`)
    }
    assert.equal(await findSuccessInScope(db, gone), undefined)
    assert.equal((await findSuccessElsewhere(db, gone))?.match, 'other_scope')
  })

  test('is counted by status without looking at all of them', async () => {
    const looked = await rowsLookedAt((tx) => countByStatus(tx, ['acme']))
    assert.ok(looked < RUNS / 20, `looked at ${looked} rows`)
  })

  test('is newest first, page after page, and holds only what is visible', async () => {
    const seen: string[] = []
    let cursor: string | undefined
    for (;;) {
      const page = await listRuns(db, filter({ prefixes: ['acme/rare', 'acme/team7x'], before: cursor, limit: 40 }))
      seen.push(...page.map((run) => run.id))
      assert.ok(page.every((run) => run.team_path === 'acme/rare'))
      cursor = page.at(-1)?.id
      if (page.length < 40) break
    }
    assert.equal(seen.length, 99)
    assert.deepEqual(seen, [...seen].sort().reverse())
  })

  test('of a commit, scope, repository or time holds those and no others', async () => {
    const numbers = async (some: Partial<RunFilter>): Promise<readonly number[]> =>
      (await listRuns(db, filter(some))).map(({ id }) => Number.parseInt(id.slice(24), 16)).toReversed()
    const tens = (first: number) => Array.from({ length: 10 }, (_, at) => first + at)
    assert.deepEqual(await numbers({ commit: COMMIT }), [12_345])
    assert.deepEqual(await numbers({ commit: COMMIT.slice(0, 12) }), [12_345])
    assert.deepEqual(await numbers({ commit: `${COMMIT}0` }), [])
    assert.deepEqual(await numbers({ scope: 'acme/web/once' }), tens(200))
    assert.deepEqual(await numbers({ scope: 'acme/web' }), [])
    assert.deepEqual(await numbers({ repository: 'acme/once' }), tens(300))
    assert.deepEqual(await numbers({ initiatorId: 'anna' }), tens(400))
    assert.deepEqual(await numbers({ cause: 'schedule' }), tens(500))
    assert.deepEqual(await numbers({ scheduleId: SCHEDULE, cause: 'schedule' }), tens(500))
    assert.deepEqual(await numbers({ scheduleId: SCHEDULE, cause: 'event' }), [])
    assert.deepEqual(await numbers({ pullRequest: 7, repository: 'acme/shop' }), tens(600))
    assert.deepEqual(await numbers({ pullRequest: 7, repository: 'acme/once' }), [])
    assert.deepEqual(
      await numbers({ triggerId: RARE_TRIGGER, cause: 'event', initiatorId: 'odd' }),
      [701, 703, 705, 707, 709],
    )
    assert.deepEqual(await numbers({ since: timeOf(50), until: timeOf(60) }), tens(50))
    assert.deepEqual(await numbers({ since: timeOf(RUNS + 1) }), [])
    // Ids begin in 1970.
    assert.deepEqual(await numbers({ until: new Date('1900-01-01T00:00:00Z') }), [])
    assert.equal((await numbers({ since: new Date('0001-01-01T00:00:00Z') })).length, (await numbers({})).length)
    assert.deepEqual(await numbers({ prefixes: ['nobody'], commit: COMMIT }), [])
  })

  test('of one status holds those and no others', async () => {
    for (const [status, count] of [
      ['failure', 10],
      ['success', 50],
      ['queued', 0],
    ] as const) {
      const page = await listRuns(db, filter({ statuses: [status] }))
      assert.deepEqual([page.length, page.every((run) => run.status === status)], [count, true], status)
    }
  })

  test('of several statuses holds those of all of them, newest first, page after page', async () => {
    const statuses = ['failure', 'timed_out', 'canceled', 'failure']
    for (const prefixes of [['/'], ['acme']]) {
      const first = await listRuns(db, filter({ prefixes, statuses, limit: 8 }))
      const rest = await listRuns(db, filter({ prefixes, statuses, before: first.at(-1)?.id }))
      const numbers = [...first, ...rest].map(({ id }) => Number.parseInt(id.slice(24), 16)).toReversed()
      assert.deepEqual(numbers, [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 150, 151, 152, 153, 154])
    }
  })

  test('is empty for who may see nothing', async () => {
    assert.deepEqual(await listRuns(db, filter({ prefixes: [] })), [])
  })
})

test('successes to compare a failure with are looked for in the 250 nearest runs, whatever the number of runs', async () => {
  const { id } = await db
    .selectFrom('runs')
    .select('id')
    .orderBy('id')
    .offset(50_000)
    .limit(1)
    .executeTakeFirstOrThrow()
  const run = await findOutcomeRun(db, id)
  assert.ok(run)
  const places = Array.from({ length: 5 }, (_, n) => ({ step: 's', task: `t${n}` }))
  const looked = await rowsLookedAt((tx) => listSucceeded(tx, { run, places, limit: 3 }))
  assert.ok(looked >= 250 && looked <= 1000, `${looked} rows`)
})
