import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ApprovalInput, ApprovalRequest } from '@signalbox/contracts/approvals'
import type { GraphApproval } from '@signalbox/pipeline/graph'
import type { HttpServer } from '#platform/http'
import type { JobDefinition } from '#platform/jobs'
import { createTestDatabase, createTestHttp, testAuthenticator, testCaller } from '#platform/testing'
import { aSnapshot } from '../../foundation/access/testing.ts'
import { aRunnablePipeline, type ExecutionHouse, openExecution } from '../dispatch/testing/index.ts'
import type { RunnablePipeline } from '../runs/index.ts'
import { approvalReactions } from './reactions.ts'

const COMMIT = 'a'.repeat(40)
const reading = { acme: ['run.read'] }
const ada = testCaller(reading, { id: 'ada', name: 'ada' })
const bob = testCaller(reading, { id: 'bob', name: 'bob' })
const eve = testCaller(reading, { id: 'eve', name: 'eve' })
const lead = testCaller({ acme: ['*'] }, { id: 'lead', name: 'lead' })
const initiator = { kind: 'user', id: 'starter', name: 'starter' } as const
const starter = testCaller(reading, initiator)
const stranger = testCaller({ other: ['*'] }, { id: 'stranger', name: 'stranger' })

let house: ExecutionHouse
let http: HttpServer
let pipeline: RunnablePipeline
let jobs: readonly JobDefinition[]

// Registered before the database's own: hooks run in that order.
after(async () => {
  await http.close(100)
  await house.stop()
})

const { database } = await createTestDatabase()
const db = database.kysely

before(async () => {
  const users = ['ada', 'bob', 'eve', 'lead', 'starter'].map((login) => ({ id: login, login }))
  const groups = [{ id: 'g', name: 'leads' }]
  const members = ['ada', 'bob', 'starter'].map((userId) => ({ groupId: 'g', userId }))
  house = await openExecution(database, { snapshot: aSnapshot({ users, groups, members }), dispatches: false })
  const runnable = await aRunnablePipeline(house, 'ship', 'steps: [{ name: a, tasks: [{ name: t, run: "true" }] }]\n')
  pipeline = runnable.pipeline
  jobs = house.parts.flatMap((part) => part.jobs ?? [])
  http = await createTestHttp(
    house.parts.flatMap((part) => part.routes ?? []),
    testAuthenticator({ ada, bob, eve, lead, starter, stranger }),
  )
})

const approval: GraphApproval = {
  approvers: ['group:leads'],
  required: 1,
  timeoutMs: 3_600_000,
  reminderMs: null,
  allowSelf: false,
  message: 'Ship it?',
  fields: [],
}

/** A run that has reached its step `release`. */
async function aRequest(given: Partial<GraphApproval> = {}): Promise<string> {
  return database.transaction(async (tx) => {
    const [runId = ''] = await house.runs.queue(tx, [
      { pipeline, scope: 'acme/web/production', initiator, cause: 'request', commitSha: COMMIT },
    ])
    const run = { teamPath: 'acme/web', pipelineIdentifier: pipeline.identifier, pipelineVersionId: pipeline.versionId }
    const rest = { scope: 'acme/web/production', initiator, repository: null, commitSha: COMMIT }
    await house.approvals.request(tx, [
      { runId, step: 'release', approval: { ...approval, ...given }, run: { ...run, ...rest } },
    ])
    return runId
  })
}

async function decide(who: string, runId: string, body: ApprovalInput, step = 'release') {
  const url = `/v1/runs/${runId}/approvals/${step}`
  const headers = { authorization: `Bearer ${who}` }
  const response = await http.app.inject({ method: 'POST', url, headers, payload: body })
  return { status: response.statusCode, body: response.json() }
}

async function waitingFor(who: string, query = ''): Promise<ApprovalRequest[]> {
  const headers = { authorization: `Bearer ${who}` }
  return (await http.app.inject({ url: `/v1/approvals${query}`, headers })).json()
}

async function outcomeOf(runId: string) {
  const decided = await house.approvals.listDecided(db, 100)
  return decided.find((one) => one.runId === runId)
}

const approve: ApprovalInput = { decision: 'approve' }
const reject: ApprovalInput = { decision: 'reject' }

describe('who may decide', () => {
  test('those whom the step names, by name, by group and by role', async () => {
    for (const [approvers, who] of [
      [['user:eve'], 'eve'],
      [['group:leads'], 'bob'],
      [['role:operator'], 'lead'],
    ] as const) {
      const runId = await aRequest({ approvers })
      assert.equal((await decide(who, runId, approve)).status, 200, who)
      assert.equal((await outcomeOf(runId))?.outcome, 'approved')
    }
  })

  test('nobody else, whatever they may do otherwise', async () => {
    const runId = await aRequest()
    for (const who of ['eve', 'lead']) {
      const refused = await decide(who, runId, approve)
      assert.equal(refused.status, 403)
      assert.equal(refused.body.code, 'approval.not_approver')
      assert.match(refused.body.detail, /group:leads/)
    }
    assert.equal((await decide('stranger', runId, approve)).status, 404, 'a run that is not visible is not there')
    assert.equal(await outcomeOf(runId), undefined)
  })

  test('who started the run only where the step allows it', async () => {
    const refused = await decide('starter', await aRequest(), approve)
    assert.equal(refused.status, 403)
    assert.match(refused.body.detail, /started the run yourself/)
    assert.equal((await decide('starter', await aRequest({ allowSelf: true }), approve)).status, 200)
  })
})

describe('a decision', () => {
  test('approves once as many as required have approved, and tells who', async () => {
    const runId = await aRequest({ required: 2 })
    const first = await decide('ada', runId, { ...approve, comment: 'fine' })
    assert.equal(first.body.request.status, 'waiting')
    assert.equal(await outcomeOf(runId), undefined)
    const second = await decide('bob', runId, approve)
    assert.equal(second.body.request.status, 'approved')
    const { outcome, reason, outputs } = (await outcomeOf(runId)) ?? {}
    assert.deepEqual(
      { outcome, reason, outputs },
      {
        outcome: 'approved',
        reason: 'approved by ada and bob',
        outputs: { decided_by: 'ada, bob' },
      },
    )
    const headers = { authorization: 'Bearer ada' }
    const detail = (await http.app.inject({ url: `/v1/runs/${runId}`, headers })).json()
    assert.deepEqual(
      detail.approvals.map((one: { name: string; by: { name: string }; comment: string | null }) => [
        one.name,
        one.by.name,
        one.comment,
      ]),
      [
        ['release', 'ada', 'fine'],
        ['release', 'bob', null],
      ],
    )
  })

  test('of one person counts once, and is the same when it is sent again', async () => {
    const runId = await aRequest({ required: 2 })
    await decide('ada', runId, approve)
    const again = await decide('ada', runId, approve)
    assert.equal(again.status, 200)
    assert.equal(again.body.request.decisions.length, 1)
    const otherwise = await decide('ada', runId, reject)
    assert.deepEqual([otherwise.status, otherwise.body.code], [409, 'approval.decided'])
  })

  test('to reject ends it, whatever others have approved; nothing can be decided afterwards', async () => {
    const runId = await aRequest({ required: 2 })
    await decide('ada', runId, approve)
    assert.equal((await decide('bob', runId, { ...reject, comment: 'not on Friday' })).status, 200)
    assert.equal((await outcomeOf(runId))?.reason, 'rejected by bob: not on Friday')
    const late = await decide('lead', await aRequest({ approvers: ['role:operator'] }), approve)
    assert.equal(late.status, 200)
    const closed = await decide('bob', runId, approve)
    assert.deepEqual([closed.status, closed.body.code], [409, 'approval.decided'])
  })

  test('made twenty times at once is one decision', async () => {
    const runId = await aRequest()
    const answers = await Promise.all(Array.from({ length: 20 }, () => decide('ada', runId, approve)))
    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200])
    const rows = await db.selectFrom('facts').select('payload').where('kind', '=', 'approval.decided').execute()
    assert.equal(rows.filter((row) => JSON.stringify(row.payload).includes(runId)).length, 1)
  })

  test('is about the commit of the run', async () => {
    const runId = await aRequest()
    const other = await decide('ada', runId, { ...approve, commit_sha: 'b'.repeat(40) })
    assert.deepEqual([other.status, other.body.code], [409, 'approval.commit_differs'])
    assert.equal((await decide('ada', runId, { ...approve, commit_sha: COMMIT })).status, 200)
  })

  test('fills in what the step asks for, and every fault is named', async () => {
    const field = { required: true, options: [], default: null, description: null }
    const fields = [
      { ...field, name: 'ticket', type: 'text' as const },
      { ...field, name: 'region', type: 'choice' as const, options: ['eu', 'us'] },
      { ...field, name: 'notify', type: 'boolean' as const, default: 'true' },
    ]
    const runId = await aRequest({ fields })
    const wrong = await decide('ada', runId, { ...approve, fields: { region: 'mars', colour: 'red' } })
    assert.equal(wrong.status, 400)
    assert.deepEqual(
      wrong.body.errors.map((error: { field: string }) => error.field),
      ['fields.colour', 'fields.ticket', 'fields.region'],
    )
    assert.equal((await decide('ada', runId, { ...approve, fields: { ticket: 'T-1', region: 'eu' } })).status, 200)
    assert.deepEqual((await outcomeOf(runId))?.outputs, {
      ticket: 'T-1',
      region: 'eu',
      notify: 'true',
      decided_by: 'ada',
    })
  })

  test('about a step that the run has not reached is 404', async () => {
    assert.equal((await decide('ada', await aRequest(), approve, 'other')).status, 404)
  })

  test('of a run that was canceled meanwhile is 409, and nobody is asked any more', async () => {
    const runId = await aRequest()
    const headers = { authorization: 'Bearer lead' }
    await http.app.inject({ method: 'POST', url: `/v1/runs/${runId}/cancel`, headers })
    assert.equal((await decide('ada', runId, approve)).status, 409)
    const fact = { id: runId, kind: 'run.finished', version: 1, occurredAt: new Date() }
    for (const reaction of approvalReactions(house.kit)) {
      await reaction.react({ ...fact, payload: { run_id: runId, status: 'canceled' } })
    }
    assert.equal(
      (await waitingFor('ada')).some((request) => request.run_id === runId),
      false,
    )
    assert.equal(await outcomeOf(runId), undefined)
  })
})

describe('time', () => {
  const work = (name: string, id: string) =>
    jobs.find((job) => job.name === name)?.run({ id }, new AbortController().signal)
  const idOf = async (runId: string): Promise<string> =>
    (await db.selectFrom('approval_requests').select('id').where('run_id', '=', runId).executeTakeFirstOrThrow()).id

  test('ends what nobody decided, once, and says who did not', async () => {
    const runId = await aRequest({ required: 2 })
    await decide('ada', runId, approve)
    await work('approvals.expire', await idOf(runId))
    const outcome = await outcomeOf(runId)
    assert.equal(outcome?.outcome, 'timed_out')
    assert.match(outcome?.reason ?? '', /1 of 2 have approved \(group:leads\)/)
    assert.equal((await decide('bob', runId, approve)).status, 409)
  })

  test('does not end what was decided before', async () => {
    const runId = await aRequest()
    await decide('ada', runId, approve)
    await work('approvals.expire', await idOf(runId))
    assert.equal((await outcomeOf(runId))?.outcome, 'approved')
  })

  test('reminds once of what still waits', async () => {
    const runId = await aRequest({ reminderMs: 1000 })
    const id = await idOf(runId)
    await work('approvals.remind', id)
    await work('approvals.remind', id)
    const rows = await db.selectFrom('facts').select('payload').where('kind', '=', 'approval.reminder').execute()
    assert.equal(rows.filter((row) => JSON.stringify(row.payload).includes(runId)).length, 1)
  })
})

describe('the list of what waits', () => {
  test('holds what the caller may decide and has not decided, page after page', async () => {
    const mine: string[] = []
    for (let at = 0; at < 3; at++) mine.unshift(await aRequest({ approvers: ['user:eve'] }))
    assert.deepEqual(
      (await waitingFor('eve')).map((request) => request.run_id),
      mine,
    )
    const headers = { authorization: 'Bearer eve' }
    const page = await http.app.inject({ url: '/v1/approvals?limit=2', headers })
    const next = /<([^>]+)>/.exec(String(page.headers['link']))?.[1] ?? ''
    const rest = (await http.app.inject({ url: next, headers })).json()
    assert.deepEqual(
      rest.map((request: ApprovalRequest) => request.run_id),
      mine.slice(2),
    )
    await decide('eve', mine[0] ?? '', approve)
    assert.equal((await waitingFor('eve')).length, 2)
    assert.deepEqual(await waitingFor('stranger'), [])
    assert.equal((await waitingFor('eve', '?team_path=acme/mobile')).length, 0)
    assert.equal((await waitingFor('eve', '?team_path=acme/web')).length, 2)
  })
})

describe('a dispatcher', () => {
  test('that asks again for the same step changes nothing', async () => {
    const runId = await aRequest()
    const run = { teamPath: 'acme/web', pipelineIdentifier: 'acme/web/ship', pipelineVersionId: pipeline.versionId }
    const rest = { scope: 'acme/web/production', initiator, repository: null, commitSha: COMMIT }
    await database.transaction((tx) =>
      house.approvals.request(tx, [{ runId, step: 'release', approval, run: { ...run, ...rest } }]),
    )
    const rows = await db.selectFrom('approval_requests').select('id').where('run_id', '=', runId).execute()
    assert.equal(rows.length, 1)
  })

  test('is told of a decision until it has applied it', async () => {
    const runId = await aRequest()
    await decide('ada', runId, approve)
    const decided = await outcomeOf(runId)
    assert.ok(decided)
    await database.transaction((tx) => house.approvals.markApplied(tx, [decided.id]))
    assert.equal(await outcomeOf(runId), undefined)
  })
})
