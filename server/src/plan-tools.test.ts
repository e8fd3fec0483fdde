import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { aDocument, aPipeline } from './rooms/catalog/pipelines/testing.ts'
import { aRunner } from './rooms/catalog/runners/testing.ts'
import { aRun } from './rooms/execution/runs/testing.ts'
import { aGrant, aMemberOf, aServiceAccount, aToken } from './rooms/foundation/access/testing.ts'
import { anEnvironment } from './rooms/foundation/teams/testing.ts'
import { callTool } from './testing/call-tool.ts'
import { openTestHouse } from './testing/test-house.ts'

// An agent writes: it plans with one tool, and confirms by the call that the answer writes out.

const house = await openTestHouse()
const { db, http, ask } = house

await anEnvironment(db, 'acme/web/test')
await aMemberOf(db, 'boss', { '/': 'administrator' })
const robot = await aServiceAccount(db, 'acme/web', 'robot')
await aGrant(db, `service_account:${robot}`, 'owner', 'acme')
const { token: agent } = await aToken(db, { kind: 'service_account', id: robot })
const olga = await aMemberOf(db, 'olga', { acme: 'owner' })
await anEnvironment(db, 'acme/web/production', { protected: true, allowedSubjects: [`user:${olga.id}`] })
await anEnvironment(db, 'acme/api/test')
const pipeline = await aPipeline(db, 'acme/web/build')
await aPipeline(db, 'acme/api/build')

interface Next {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** Plans, then makes the call that the answer proposes; with a token of its own, as each may confirm ten a minute. */
async function carryOut(name: string, input: object, action: string) {
  const { token } = await aToken(db, { kind: 'service_account', id: robot })
  const planned = await callTool(house, token, name, input)
  assert.equal(planned.isError, false, JSON.stringify(planned.facts))
  assert.equal(planned.facts.action, action)
  assert.ok(planned.facts.effects.length > 0)
  const [next]: readonly Next[] = planned.facts.next
  assert.ok(next)
  assert.equal(next.tool, 'confirm_plan')
  const done = await callTool(house, token, next.tool, next.arguments)
  assert.equal(done.isError, false, JSON.stringify(done.facts))
  return { token, planned: planned.facts, done: done.facts }
}

async function toolNames(token: string, limits?: object): Promise<readonly string[]> {
  const narrow = limits && (await ask(token, 'POST', '/v1/tokens', { name: 'narrow', ...limits })).body['token']
  const { body } = await http.app.inject({
    method: 'POST',
    url: '/v1/mcp',
    headers: { authorization: `Bearer ${String(narrow ?? token)}`, host: '127.0.0.1:8080' },
  })
  return JSON.parse(body).result.tools.map(({ name }: { name: string }) => name)
}

describe('an agent', () => {
  test('starts, repeats and cancels a run, and is led to the wait for it', async () => {
    const start = { pipeline: 'acme/api/build', scope: 'acme/api/test' }
    const { done } = await carryOut('plan_start_run', start, 'startRun')
    assert.equal(done.status, 'confirmed')
    const [{ id: run_id }] = done.outcome.resources
    assert.deepEqual(
      done.next.map(({ tool, arguments: given }: Next) => [tool, given]),
      [['wait_for_run', { run_id }]],
    )
    await carryOut('plan_rerun', { run_id }, 'rerunRun')
    await carryOut('plan_cancel_run', { run_id, reason: 'superseded' }, 'cancelRun')
    const { rows } = await sql<{ status: string }>`select status from runs where id = ${run_id}`.execute(db)
    assert.equal(rows[0]?.status, 'canceled')
  })

  test('writes definitions', async () => {
    const document = aDocument('fresh')
    await carryOut('plan_pipeline', { team_path: 'acme/api', document }, 'createPipeline')
    await carryOut('plan_pipeline', { pipeline: 'acme/api/fresh', document }, 'replacePipeline')
    const fields = {
      name: 'on-push',
      team_path: 'acme/api',
      repositories: ['acme/widgets'],
      events: ['push'],
      pipeline: 'acme/api/build',
      scope: 'acme/api/test',
    }
    const { done } = await carryOut('plan_trigger', { change: 'create', fields }, 'createTrigger')
    const trigger_id = done.outcome.resources[0].id
    await carryOut('plan_trigger', { change: 'update', trigger_id, fields: { enabled: false } }, 'updateTrigger')
    await carryOut('plan_trigger', { change: 'delete', trigger_id }, 'deleteTrigger')
    const nightly = {
      path: 'acme/api',
      name: 'nightly',
      pipeline: 'acme/api/build',
      schedule_kind: 'recurring',
      cron_expression: '30 2 * * *',
      scope: 'acme/api/test',
    }
    await carryOut('plan_schedule', { change: 'create', fields: nightly }, 'createSchedule')
    await carryOut('plan_schedule', { change: 'run', schedule: 'acme/api/nightly' }, 'runSchedule')
    const override = { repository: 'acme/widgets', pipeline: 'acme/api/build', scope: 'acme/api/test' }
    await carryOut('plan_override', override, 'replaceOverride')
    await carryOut('plan_override', { repository: 'acme/widgets', delete: true }, 'deleteOverride')
    const { id } = await aRunner(db, { teamPath: 'acme', scopes: ['acme/**'] })
    await carryOut('plan_runner', { runner_id: id, draining: true }, 'updateRunner')
    const run_id = await aRun(db, pipeline, { heldFork: 7, scope: 'acme/web/test' })
    await carryOut('plan_approval', { run_id, step: 'fork', decision: 'reject' }, 'decideApproval')
  })

  test('is told to wait for a person, and asks again by the same call', async () => {
    const document = aDocument('build', 'variables: { A: b }\n')
    const { token, planned, done } = await carryOut(
      'plan_pipeline',
      { pipeline: 'acme/web/build', document },
      'replacePipeline',
    )
    assert.equal(planned.confirmation, 'person')
    assert.equal(done.status, 'waiting_for_person')
    const approved = await ask(olga.token, 'POST', `/v1/plans/${planned.plan_id}/approve`)
    assert.equal(approved.status, 200, approved.text)
    const [again]: readonly Next[] = done.next
    assert.ok(again)
    const { facts } = await callTool(house, token, again.tool, again.arguments)
    assert.equal(facts.status, 'confirmed')
  })

  describe('whose client can show a page', () => {
    const document = aDocument('build', 'variables: { A: page }\n')
    const aPlan = async (token: string, variables = 'page') => {
      const input = { pipeline: 'acme/web/build', document: document.replace('page', variables) }
      const [next]: readonly Next[] = (await callTool(house, token, 'plan_pipeline', input)).facts.next
      assert.ok(next)
      return next.arguments
    }
    const aRobotToken = async () => (await aToken(db, { kind: 'service_account', id: robot })).token
    const URL_MODE = { elicitation: { url: {} } }

    /** A call of protocol 2026-07-28; `back` is sent by a client that calls again. */
    async function confirm(
      token: string,
      input: object,
      { can = URL_MODE, back = {} }: { can?: object; back?: object } = {},
    ) {
      const meta = {
        protocolVersion: '2026-07-28',
        clientInfo: { name: 'proof', version: '1' },
        clientCapabilities: can,
      }
      const _meta = Object.fromEntries(
        Object.entries(meta).map(([name, value]) => [`io.modelcontextprotocol/${name}`, value]),
      )
      const answer = await http.app.inject({
        method: 'POST',
        url: '/v1/mcp',
        headers: {
          authorization: `Bearer ${token}`,
          host: '127.0.0.1:8080',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'confirm_plan',
        },
        payload: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'confirm_plan', arguments: input, _meta, ...back },
        },
      })
      const { result, error } = answer.json()
      return { result, error, facts: result?.content ? JSON.parse(result.content[0].text) : undefined }
    }

    const ACCEPTED = { inputResponses: { page: { action: 'accept' } } }

    async function versions(): Promise<number> {
      const { rows } = await sql<{ version: number }>`
        select version from pipelines where identifier = 'acme/web/build'`.execute(db)
      return rows[0]?.version ?? 0
    }

    test('is sent to the page of its plan once; what it says of it counts for nothing, and the plan does', async () => {
      const token = await aRobotToken()
      const [plan, before] = [await aPlan(token), await versions()]
      const { result } = await confirm(token, plan)
      assert.equal(result.resultType, 'input_required')
      const { method, params } = result.inputRequests.page
      assert.deepEqual([method, params.mode], ['elicitation/create', 'url'])
      assert.equal(params.url, `http://127.0.0.1:8080/#/plans/${String(plan['plan_id'])}`)
      assert.ok(params.message.includes(plan['plan_id']))
      const back = { requestState: result.requestState, ...ACCEPTED }
      const again = await confirm(token, plan, { back })
      assert.equal(again.facts.status, 'waiting_for_person')
      assert.match(again.facts.approval, /A person who may do the same/)
      assert.equal((await confirm(token, plan)).facts.status, 'waiting_for_person', 'it is not asked again')
      assert.equal((await confirm(token, plan, { back: ACCEPTED })).facts.status, 'waiting_for_person')
      assert.equal(await versions(), before)
      assert.equal((await ask(olga.token, 'POST', `/v1/plans/${String(plan['plan_id'])}/approve`)).status, 200)
      for (const says of ['accept', 'decline', 'cancel']) {
        const told = await confirm(token, plan, { back: { ...back, inputResponses: { page: { action: says } } } })
        assert.equal(told.facts.status, 'confirmed')
      }
      assert.equal(await versions(), before + 1)
    })

    test('does nothing with a state that is made up, or of another caller, token or call', async () => {
      const [token, other] = [await aRobotToken(), await aRobotToken()]
      const [plan, second] = [await aPlan(token, 'one'), await aPlan(token, 'two')]
      const foreign = await aPlan(olga.token, 'three')
      const { result } = await confirm(token, plan)
      const state: string = result.requestState
      const flipped = `${state.slice(0, -2)}${state.endsWith('AA') ? 'BB' : 'AA'}`
      const before = await versions()
      for (const [bearer, input, requestState] of [
        [token, plan, 'v1.made.up'],
        [token, plan, ''],
        [token, plan, flipped],
        [token, second, state],
        [token, { ...plan, target: 'pipeline acme/web/other' }, state],
        [other, plan, state],
        [olga.token, foreign, state],
      ] as const) {
        const { error } = await confirm(bearer, input, { back: { requestState, ...ACCEPTED } })
        assert.equal(error?.data?.reason, 'invalid_request_state', requestState)
      }
      const { rows } = await sql<{ status: string }>`select status from plans
        where id = any(${[second, foreign].map((each) => each['plan_id'])}::uuid[])`.execute(db)
      assert.deepEqual(
        rows.map(({ status }) => status),
        ['waiting', 'waiting'],
      )
      assert.equal(await versions(), before)
    })

    test('and no other, gets that: forms would be answered by the agent itself', async () => {
      for (const [at, can] of [{}, { elicitation: {} }, { elicitation: { form: {} } }].entries()) {
        const token = await aRobotToken()
        const { facts } = await confirm(token, await aPlan(token, `no-page-${at}`), { can })
        assert.equal(facts.status, 'waiting_for_person', JSON.stringify(can))
      }
    })
  })

  test('is refused as the route refuses, and told what is missing', async () => {
    const hidden = await callTool(house, agent, 'plan_start_run', { pipeline: 'other/build' })
    assert.ok(hidden.isError)
    const nameless = await callTool(house, agent, 'plan_trigger', { change: 'delete' })
    assert.ok(nameless.isError)
    assert.match(nameless.envelopes, /trigger_id/)
  })

  test('has the tools that plan something for it, and confirm_plan with any of them alone', async () => {
    const all = await toolNames(agent)
    for (const name of ['plan_start_run', 'plan_replay', 'plan_pipeline', 'plan_approval', 'confirm_plan']) {
      assert.ok(all.includes(name), name)
    }
    assert.ok(!(await toolNames(olga.token)).includes('plan_approval'), 'a step that names people means no machine')
    const runner = await toolNames(olga.token, { families: ['runners'] })
    assert.deepEqual(
      runner.filter((name) => name.includes('plan')),
      ['confirm_plan', 'plan_runner'],
    )
    const reader = await toolNames(olga.token, { read_only: true })
    assert.ok(!reader.some((name) => name.includes('plan')))
  })
})
