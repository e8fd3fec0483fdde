import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Tx } from '#platform/database'
import { createTestDatabase } from '#platform/testing'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { countByStatus, listRuns, type RunFilter } from './store/list-runs.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const RUNS = 100_000

const filter = (some: Partial<RunFilter>): RunFilter => ({
  prefixes: ['/'],
  branch: undefined,
  status: undefined,
  pipelineId: undefined,
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
      initiator_name, variables, branch, queued_at, finished_at)
    select ('01900000-' || lpad(to_hex(n / 65536), 4, '0') || '-7' || lpad(to_hex(n % 4096), 3, '0') || '-8000-'
        || lpad(to_hex(n), 12, '0'))::uuid,
      case when n < 100 then 'acme/rare' else 'acme/team' || (n % 40) end, ${id}, ${versionId}, 'acme/web/build',
      'build', 1, 'acme/web/production', '{"executor": "host", "labels": []}', '{}',
      case when n between 100 and 109 then 'failure' else 'success' end, 'event', 'system', 's',
      's', '{}', case when n % 10000 = 0 then 'once' else 'main' end, now(), now()
    from generate_series(1, ${sql.lit(RUNS)}) as n`.execute(db)
  await sql`analyze runs`.execute(db)
})

/** How many rows of `runs` the server looked at to answer, as its own counters say. */
const rowsLookedAt = (ask: (tx: Tx) => Promise<unknown>): Promise<number> =>
  database.transaction(async (tx) => {
    await ask(tx)
    const { rows } = await sql<{ looked: number }>`
      select pg_stat_get_xact_tuples_returned('runs'::regclass) + pg_stat_get_xact_tuples_fetched('runs'::regclass)
        as looked`.execute(tx)
    return Number(rows[0]?.looked)
  })

describe(`a list of ${RUNS} runs`, () => {
  const views: Record<string, Partial<RunFilter>> = {
    'everything that there is': {},
    'the branch of a few old runs': { branch: 'once' },
    'the teams below one': { prefixes: ['acme'] },
    'a team whose runs are old': { prefixes: ['acme/rare'] },
    'a branch below one team': { prefixes: ['acme'], branch: 'once' },
    'the few that failed': { status: 'failure' },
    'a status that no run has': { status: 'paused' },
    'the queue': { status: 'queued' },
    'the queue below one team': { prefixes: ['acme'], status: 'queued' },
    'those that failed below one team': { prefixes: ['acme'], status: 'failure' },
    'several teams': { prefixes: ['acme/team1', 'acme/team2', 'nobody'] },
  }
  for (const [name, some] of Object.entries(views)) {
    test(`answers ${name} without looking at all of them`, async () => {
      const looked = await rowsLookedAt((tx) => listRuns(tx, filter(some)))
      assert.ok(looked < RUNS / 20, `looked at ${looked} rows`)
    })
  }

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

  test('of one status holds those and no others', async () => {
    for (const [status, count] of [
      ['failure', 10],
      ['success', 50],
      ['queued', 0],
    ] as const) {
      const page = await listRuns(db, filter({ status }))
      assert.deepEqual([page.length, page.every((run) => run.status === status)], [count, true], status)
    }
  })

  test('is empty for who may see nothing', async () => {
    assert.deepEqual(await listRuns(db, filter({ prefixes: [] })), [])
  })
})
