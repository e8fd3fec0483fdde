import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { HOSTILE } from './platform/tools/testing.ts'
import { aRunner } from './rooms/catalog/runners/testing.ts'
import { aMember, aMemberOf } from './rooms/foundation/access/testing.ts'
import { anEnvironment } from './rooms/foundation/teams/testing.ts'
import { callTool } from './testing/call-tool.ts'
import { openTestHouse } from './testing/test-house.ts'

// Tools of runs, runners and approvals as an agent calls them at POST /v1/mcp.

const house = await openTestHouse()
const { db, make } = house
await anEnvironment(db, 'acme/test')
await anEnvironment(db, 'other/test')
const root = await aMember(db, 'root', 'administrator', '/')
const viewer = await aMember(db, 'viewer', 'viewer', 'acme')
const stranger = await aMemberOf(db, 'stranger', { other: 'owner' })
const { id: runner } = await aRunner(db, { name: 'box', teamPath: 'acme', scopes: ['acme/**'] })

const DOCUMENT = 'name: build\ncheckout: false\nsteps:\n  - name: a\n    tasks:\n      - { name: b, run: echo hi }\n'
await make(root.token, 'POST', '/v1/pipelines', { team_path: 'acme', document: DOCUMENT })

const call = (name: string, input: object, token = viewer.token) => callTool(house, token, name, input)
const start = async (): Promise<string> => {
  const headers = { authorization: `Bearer ${root.token}`, host: '127.0.0.1:8080' }
  const url = '/v1/pipelines/acme%2Fbuild/runs'
  const { statusCode, body } = await house.http.app.inject({ method: 'POST', url, headers })
  assert.equal(statusCode, 202, body)
  return JSON.parse(body).run_id
}

/** No fact holds a word of others: they stand in envelopes, each ended once. */
function assertKept({ facts, envelopes }: Awaited<ReturnType<typeof call>>): void {
  assert.doesNotMatch(JSON.stringify(facts), /SBXEVIL/)
  assert.match(envelopes, /SBXEVIL/)
}

describe('an agent', () => {
  test('reads a run whose every text of others is hostile, and none of it outside envelopes', async () => {
    const id = await start()
    for (const text of HOSTILE) {
      const words = text.replaceAll('\u0000', '')
      await sql`update runs set branch = ${words}, ref = ${words}, repository = ${words}, commit_sha = ${words},
        note = ${words}, initiator_name = ${words}, variables = ${JSON.stringify({ [words]: words })}::jsonb,
        concurrency_group = ${words.slice(0, 200)}, on_conflict = 'queue', withheld = 'group' where id = ${id}`.execute(
        db,
      )
      for (const tool of ['get_run', 'explain_run']) assertKept(await call(tool, { run_id: id }))
      assertKept(await call('list_runs', { pipeline: 'acme/build' }))
    }
    const { facts } = await call('explain_run', { run_id: id })
    assert.equal(facts.findings[0].code, 'run.waits_for_turn')
  })

  test('learns why a run waits, waits for it, and is told the next calls', async () => {
    const id = await start()
    const { facts } = await call('explain_run', { run_id: id })
    assert.equal(facts.findings[0].code, 'run.no_runner')
    assert.deepEqual(facts.runners[0].runners, [{ id: runner, name: 'box' }])
    const shown = (await call('get_run', { run_id: id })).facts
    assert.deepEqual([shown.status, shown.tasks_by_status, shown.tasks], ['queued', { pending: 1 }, []])
    const waited = (await call('wait_for_run', { run_id: id, seconds: 0 })).facts
    assert.equal(waited.status, 'queued')
    assert.deepEqual(
      waited.next.map(({ tool }: { tool: string }) => tool),
      ['wait_for_run', 'explain_run'],
    )
    const none = await call('compare_with_success', { run_id: id })
    assert.equal(none.isError, true)
    await sql`update runs set status = 'success', withheld = null, started_at = now(), finished_at = now()
      where id = ${id}`.execute(db)
    const failed = await start()
    await sql`update runs set status = 'failure', commit_sha = ${HOSTILE[0]}, started_at = now(), finished_at = now()
      where id = ${failed}`.execute(db)
    const changed = await call('compare_with_success', { run_id: failed })
    assertKept(changed)
    assert.deepEqual([changed.facts.with, changed.facts.findings[0].code], [id, 'changes.commit'])
    const over = (await call('explain_run', { run_id: failed })).facts
    assert.deepEqual(
      over.next.map(({ tool }: { tool: string }) => tool),
      ['explain_failure', 'compare_with_success'],
    )
  })

  test('lists runners, or asks which of them could take work', async () => {
    const listed = (await call('list_runners', {})).facts
    assert.deepEqual([listed.runners[0].id, listed.runners[0].connected], [runner, false])
    const judged = (await call('list_runners', { scope: 'acme/test' })).facts
    assert.deepEqual(judged.runners[0].such_as, [{ id: runner, name: 'box' }])
    assert.match(judged.reason, /never connected/)
    assert.deepEqual((await call('list_approvals', {})).facts.approvals, [])
    assert.deepEqual((await call('list_approvals', { state: 'decided' })).facts.approvals, [])
  })

  test('of another team learns nothing: a hidden run is as one that is not there', async () => {
    const id = await start()
    for (const tool of ['get_run', 'explain_run', 'wait_for_run', 'compare_with_success']) {
      const hidden = await call(tool, { run_id: id }, stranger.token)
      const absent = await call(tool, { run_id: randomUUID() }, stranger.token)
      assert.deepEqual([hidden.isError, hidden.without()], [true, absent.without()])
    }
    assert.deepEqual((await call('list_runs', {}, stranger.token)).facts.runs, [])
    assert.deepEqual((await call('list_runners', {}, stranger.token)).facts.runners, [])
  })
})
