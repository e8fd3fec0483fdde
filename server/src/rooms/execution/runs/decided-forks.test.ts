import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { countRowsRead, createTestDatabase } from '#platform/testing'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { decidedForksQuery, findForkDecisionTime, listDecidedForks } from './store/decided-forks.ts'

const { database } = await createTestDatabase()
const db = database.kysely
/** The first twenty are of acme/team0 to acme/team9; all others are newer, and of acme-labs. */
const RUNS = 2000
const TEAMS = 10
const MENDS = new URL('../../../../migrations/202611280631_runs_team-of-approvals.sql', import.meta.url)

before(async () => {
  await aTeam(db, 'acme/web')
  const { id, versionId } = await aPipeline(db, 'acme/web/build')
  await sql`
    insert into runs (id, team_path, pipeline_id, pipeline_version_id, pipeline_identifier, pipeline_name,
      pipeline_version, scope, requirement, profile_environment, status, cause, initiator_kind, initiator_id,
      initiator_name, variables, pull_request, queued_at, finished_at)
    select gen_random_uuid(), case when n <= 20 then 'acme/team' || (n % ${sql.lit(TEAMS)}) else 'acme-labs' end, ${id},
      ${versionId}, 'acme/web/build', 'build', 1, 'acme/web/production', '{"executor": "host", "labels": []}', '{}',
      'success', 'event', 'system', 'even', 's', '{}', n, now(), now()
    from generate_series(1, ${sql.lit(RUNS)}) as n`.execute(db)
  await sql`
    insert into run_approvals (run_id, team_path, name, decision, subject_kind, subject_id, subject_name, decided_at)
    select id, team_path, 'fork', 'approve', 'user', 'ada', 'ada', timestamptz '2026-11-28' + pull_request * interval '1 second'
    from runs`.execute(db)
  await sql`analyze runs, run_approvals`.execute(db)
})

const numbers = async (prefixes: readonly string[], limit: number): Promise<(number | null)[]> =>
  (await listDecidedForks(db, { prefixes, before: undefined, limit })).map(({ pullRequest }) => pullRequest)

describe('decisions about runs of forks', () => {
  test('are listed by time over all teams at and below the paths, and by the place of the page before', async () => {
    assert.deepEqual(await numbers(['acme'], 3), [20, 19, 18])
    assert.deepEqual(await numbers(['acme/team4'], 5), [14, 4])
    assert.deepEqual(await numbers(['acme/team'], 5), [], 'no team of which the name begins alike')
    assert.deepEqual(await numbers(['/'], 2), [RUNS, RUNS - 1])
    assert.deepEqual(await numbers([], 5), [])
    const [, second] = await listDecidedForks(db, { prefixes: ['acme'], before: undefined, limit: 2 })
    assert.ok(second)
    const at = await findForkDecisionTime(db, second.id, ['acme'])
    assert.deepEqual(at, second.decidedAt)
    assert.equal(await findForkDecisionTime(db, second.id, ['acme-labs']), undefined, 'of another team')
    const next = await listDecidedForks(db, { prefixes: ['acme'], before: { at, id: second.id }, limit: 2 })
    assert.deepEqual(
      next.map(({ pullRequest }) => pullRequest),
      [18, 17],
    )
  })

  test('are found team by team: a page costs no more where other teams have many', async () => {
    for (const prefixes of [['acme'], ['acme/team4'], ['/']]) {
      const read = await countRowsRead(db, decidedForksQuery({ prefixes, before: undefined, limit: 10 }))
      assert.ok(read < 300, `${prefixes}: ${read}`)
    }
  })

  test('are listed where an older version stored them, without the team', async () => {
    const all = [14, 4, 14, 4]
    await sql`
      insert into run_approvals (run_id, name, decision, subject_kind, subject_id, subject_name, decided_at)
      select run_id, 'older', decision, subject_kind, subject_id, subject_name, decided_at - interval '1 hour'
      from run_approvals where team_path = 'acme/team4'`.execute(db)
    assert.deepEqual(await numbers(['acme/team4'], 5), all)
    // As one stored them before the migration that mends it.
    await sql`drop trigger run_approvals_have_team on run_approvals`.execute(db)
    await sql`drop function copy_team_of_run()`.execute(db)
    await sql`update run_approvals set team_path = null where team_path = 'acme/team4'`.execute(db)
    assert.deepEqual(await numbers(['acme/team4'], 5), [])
    await sql.raw(await readFile(MENDS, 'utf8')).execute(db)
    assert.deepEqual(await numbers(['acme/team4'], 5), all)
  })
})
