import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TeamCounts } from '@signalbox/contracts/overview'
import { aRunner } from './rooms/catalog/runners/testing.ts'
import { aMember } from './rooms/foundation/access/testing.ts'
import { anEnvironment, aTeam } from './rooms/foundation/teams/testing.ts'
import { type Answer, openTestHouse } from './testing/test-house.ts'

// GET /v1/teams/{id}/counts over all rooms.

const { db, ask, make } = await openTestHouse()
const root = await aMember(db, 'root', 'administrator', '/')
for (const scope of ['acme/test', 'acme/web/test', 'other/test']) await anEnvironment(db, scope)
await aTeam(db, 'acme/empty')
const viewer = await aMember(db, 'viewer', 'viewer', 'acme/web')
const operator = await aMember(db, 'operator', 'operator', 'acme')
const stranger = await aMember(db, 'stranger', 'owner', 'other')

const DOCUMENT = 'name: NAME\nsteps:\n  - name: a\n    tasks:\n      - { name: b, run: echo hi }\n'
const pipeline = async (team: string, name: string): Promise<string> => {
  await make(root.token, 'POST', '/v1/pipelines', { team_path: team, document: DOCUMENT.replace('NAME', name) })
  return `${team}/${name}`
}
const start = (identifier: string, scope: string): Promise<string> =>
  make(root.token, 'POST', `/v1/pipelines/${encodeURIComponent(identifier)}/runs`, { scope })
const end = async (id: string, status: RunEnd, at = new Date()): Promise<void> => {
  const ended = { status, started_at: at, finished_at: at }
  await db.updateTable('runs').set(ended).where('id', '=', id).execute()
}
type RunEnd = 'success' | 'warning' | 'failure' | 'timed_out' | 'canceled'
const ago = (hours: number): Date => new Date(Date.now() - hours * 3_600_000)
const read = (token: string, team = 'acme', query = ''): Promise<Answer> =>
  ask(token, 'GET', `/v1/teams/${encodeURIComponent(team)}/counts${query}`)
const counts = async (token: string, team?: string, query?: string): Promise<TeamCounts> => {
  const { status, text } = await read(token, team, query)
  assert.equal(status, 200, text)
  return JSON.parse(text)
}

const build = await pipeline('acme/web', 'build')
const deploy = await pipeline('acme', 'deploy')

describe('the counts of a team', () => {
  test('runs by status, of the team and the teams below it; ended ones of the last day', async () => {
    await start(build, 'acme/web/test')
    await start(deploy, 'acme/test')
    await end(await start(build, 'acme/web/test'), 'success')
    await end(await start(build, 'acme/web/test'), 'failure', ago(23))
    await end(await start(build, 'acme/web/test'), 'failure', ago(25))
    await end(await start(await pipeline('other', 'build'), 'other/test'), 'success')
    const finished = { success: 1, warning: 0, failure: 1, timed_out: 0, canceled: 0 }
    assert.deepEqual((await counts(root.token)).runs, { queued: 2, running: 0, paused: 0, finished })
    assert.deepEqual((await counts(root.token, 'acme/web')).runs, { queued: 1, running: 0, paused: 0, finished })
    assert.equal((await counts(root.token, 'acme/empty')).runs?.queued, 0)
    assert.deepEqual((await counts(root.token, 'acme/empty')).broken, [])
  })

  test('runners, schedules and sources', async () => {
    const gone = await aRunner(db, { name: 'gone', teamPath: 'acme', scopes: ['acme/**'] })
    await db.updateTable('runners').set({ connected_to: null }).where('id', '=', gone.id).execute()
    await aRunner(db, { name: 'elsewhere', teamPath: 'other', scopes: ['other/**'] })
    await make(root.token, 'POST', '/v1/schedules', {
      path: 'acme',
      name: 'nightly',
      pipeline: deploy,
      schedule_kind: 'recurring',
      cron_expression: '@daily',
      scope: 'acme/test',
    })
    await make(root.token, 'POST', '/v1/secrets', { team_path: 'acme', name: 'hook', value: 'the-value-of-hook' })
    await make(root.token, 'POST', '/v1/git-webhook-sources', {
      name: 'acme-github',
      provider: 'github',
      team_path: 'acme',
      credential_ref: 'secret:acme/hook',
      repository_allowlist: ['acme/*'],
    })
    const found = await counts(root.token)
    const away = found.runners?.away ?? []
    assert.deepEqual(found.runners, { online: 0, draining: 0, disabled: 0, offline: 1, away })
    assert.deepEqual([away.length, away[0]?.runner_id, away[0]?.name], [1, gone.id, 'gone'])
    assert.deepEqual(found.sources, { healthy: 0, failing: 0, silent: 0, disabled: 0, unused: 1, sick: [] })
    assert.deepEqual([found.schedules?.enabled, found.schedules?.failing], [1, 0])
    assert.equal(found.schedules?.next[0]?.identifier, 'acme/nightly')
    await db.updateTable('schedules').set({ last_outcome: 'denied' }).execute()
    assert.equal((await counts(root.token)).schedules?.failing, 1)
  })

  test('approvals: all of them, and those of the caller', async () => {
    const held = await start(deploy, 'acme/test')
    await db
      .updateTable('runs')
      .set({ withheld: 'fork_approval', repository: 'acme/shop', pull_request: 7, commit_sha: 'a'.repeat(40) })
      .where('id', '=', held)
      .execute()
    assert.deepEqual((await counts(operator.token)).approvals, { waiting: 1, mine: 1 })
    assert.deepEqual((await counts(viewer.token, 'acme/web')).approvals, { waiting: 0, mine: 0 })
    const reader = await aMember(db, 'reader', 'viewer', 'acme')
    assert.deepEqual((await counts(reader.token)).approvals, { waiting: 1, mine: 0 })
  })
})

describe('newly broken pipelines', () => {
  test('are those whose last run failed and the one before succeeded, after the instant', async () => {
    const flip = await pipeline('acme/web', 'flip')
    const broke = async (query = ''): Promise<readonly (string | null)[][]> =>
      ((await counts(root.token, 'acme', query)).broken ?? [])
        .filter((one) => one.pipeline === flip)
        .map((one) => [one.run_id, one.last_good_run_id])
    const good = await start(flip, 'acme/web/test')
    await end(good, 'success', ago(50))
    assert.deepEqual(await broke(), [])
    const canceled = await start(flip, 'acme/web/test')
    await end(canceled, 'canceled', ago(0.7))
    const bad = await start(flip, 'acme/web/test')
    await end(bad, 'timed_out', ago(0.6))
    await start(flip, 'acme/web/test')
    assert.deepEqual(await broke(), [[bad, good]], 'canceled runs and those that still run are passed over')
    assert.deepEqual(await broke(`?since=${ago(0.5).toISOString()}`), [])
    const worse = await start(flip, 'acme/web/test')
    await end(worse, 'failure')
    assert.deepEqual(await broke(), [], 'it was broken before')
    const mended = await start(flip, 'acme/web/test')
    await end(mended, 'warning')
    assert.deepEqual(await broke(), [])
    await end(await start(flip, 'acme/web/test'), 'failure')
    assert.equal((await broke('?since=2001-01-01T00:00:00Z')).length, 1)
    const deleted = await ask(root.token, 'DELETE', `/v1/pipelines/${encodeURIComponent(flip)}`)
    assert.ok(deleted.status < 300, deleted.text)
    assert.deepEqual(await broke(), [])
  })
})

describe('what the caller may not see', () => {
  test('is not counted: a team above shows the part below that one may read', async () => {
    assert.equal((await read(viewer.token, 'acme')).status, 404, 'a member of the team below')
    const own = await counts(viewer.token, 'acme/web')
    assert.equal(own.runs?.finished.success, 1)
    assert.deepEqual(
      own.runners,
      { online: 0, draining: 0, disabled: 0, offline: 0, away: [] },
      'of the team itself alone',
    )
  })

  test('a hidden team is like an absent one', async () => {
    const [hidden, absent] = [await read(stranger.token, 'acme'), await read(stranger.token, 'nowhere')]
    assert.deepEqual([hidden.status, absent.status], [404, 404])
    assert.equal(hidden.body['detail'], absent.body['detail'])
  })
})
