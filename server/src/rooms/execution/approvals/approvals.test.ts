import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { ApprovalInput, ApprovalRequest } from '@signalbox/contracts/approvals'
import type { GraphApproval } from '@signalbox/pipeline/graph'
import { sql } from 'kysely'
import type { CallerLimits, HttpServer } from '#platform/http'
import type { JobDefinition } from '#platform/jobs'
import { countRowsRead, createTestDatabase, createTestHttp, testAuthenticator, testCaller } from '#platform/testing'
import type { AccessSnapshot } from '../../foundation/access/index.ts'
import { aSnapshot } from '../../foundation/access/testing.ts'
import { aRunnablePipeline, type ExecutionHouse, openExecution } from '../dispatch/testing/index.ts'
import type { RunnablePipeline } from '../runs/index.ts'
import { approvalReactions } from './reactions.ts'
import { insertApprovers, waitingQuery } from './store/approvers.ts'

const COMMIT = 'a'.repeat(40)
const reading = { acme: ['run.read'] }
const ada = testCaller(reading, { id: 'ada', name: 'ada' })
const bob = testCaller(reading, { id: 'bob', name: 'bob' })
const eve = testCaller(reading, { id: 'eve', name: 'eve' })
const lead = testCaller({ acme: ['*'] }, { id: 'lead', name: 'lead' })
const initiator = { kind: 'user', id: 'starter', name: 'starter' } as const
const starter = testCaller(reading, initiator)
/** An owner's service account, and the token of a fresh installation. */
const robot = testCaller({ acme: ['*'] }, { kind: 'service_account', id: 'robot', name: 'acme/robot' })
const root = testCaller(undefined, { kind: 'bootstrap', id: 'bootstrap', name: 'bootstrap token' })
/** Users have such ids; a run keeps that of whoever asked for it. */
const mona = testCaller(reading, { id: '01900000-0000-7000-8000-0000000000aa', name: 'mona' })
/** Eve, once she sees runs of another team alone. */
const away = testCaller({ other: ['run.read'] }, { id: 'eve', name: 'eve' })
const stranger = testCaller({ other: ['*'] }, { id: 'stranger', name: 'stranger' })
/** Bob by a token with limits. */
const bobWith = (limits: Omit<CallerLimits, 'isReadOnly'>) => ({
  ...bob,
  token: { id: '01900000-0000-7000-8000-0000000000bb', name: 'agent', limits: { isReadOnly: false, ...limits } },
})
const limitedBobs = {
  reading: bobWith({ permissions: ['run.read'] }),
  elsewhere: bobWith({ teamPath: 'acme/api' }),
  deciding: bobWith({ permissions: ['run.read', 'run.approve'], teamPath: 'acme/web' }),
}

let house: ExecutionHouse
let http: HttpServer
let pipeline: RunnablePipeline
let jobs: readonly JobDefinition[]
let people: AccessSnapshot
/** Users by the ids of their accounts at a Git provider; tells how often each account was looked for. */
class Links extends Map<string, string> {
  readonly asked: string[] = []
  override get(accountId: string): string | undefined {
    this.asked.push(accountId)
    return super.get(accountId)
  }
}
const linked = new Links()

const USERS = [ada, bob, eve, lead, starter, mona].map(({ id, name }) => ({ id, login: name }))
const LEADS = ['ada', 'bob', 'starter']

/** Everybody sees the runs of acme, `lead` and the service account own it, and some are leads. */
function aWorld({
  users = USERS,
  leads = LEADS,
  blind,
}: {
  users?: typeof USERS
  leads?: readonly string[]
  blind?: string
} = {}) {
  const see = USERS.filter(({ id }) => id !== blind).map(
    ({ id }) => ({ subjectKind: 'user', subjectId: id, role: 'viewer', teamPath: 'acme' }) as const,
  )
  return aSnapshot({
    users,
    serviceAccounts: [{ id: 'robot', teamPath: 'acme', name: 'robot' }],
    groups: [{ id: 'g', name: 'leads' }],
    members: leads.map((userId) => ({ groupId: 'g', userId })),
    grants: [
      ...see,
      { subjectKind: 'user', subjectId: 'lead', role: 'owner', teamPath: 'acme' },
      { subjectKind: 'service_account', subjectId: 'robot', role: 'owner', teamPath: 'acme' },
    ],
  })
}

// Registered before the database's own: hooks run in that order.
after(async () => {
  await http.close(100)
  await house.stop()
})

const { database } = await createTestDatabase()
const db = database.kysely

before(async () => {
  people = aWorld()
  house = await openExecution(database, { snapshot: () => people, linked, dispatches: false })
  const runnable = await aRunnablePipeline(house, 'ship', 'steps: [{ name: a, tasks: [{ name: t, run: "true" }] }]\n')
  pipeline = runnable.pipeline
  jobs = house.parts.flatMap((part) => part.jobs ?? [])
  http = await createTestHttp(
    house.parts.flatMap((part) => part.routes ?? []),
    testAuthenticator({ ada, bob, eve, lead, starter, mona, stranger, away, robot, root, ...limitedBobs }),
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

  test('a token with limits only where these leave run.approve, though the step names its owner', async () => {
    const runId = await aRequest()
    for (const who of ['reading', 'elsewhere']) {
      const refused = await decide(who, runId, approve)
      assert.equal(refused.status, 403)
      assert.match(refused.body.detail, /limits that leave out run\.approve/)
    }
    assert.equal(await outcomeOf(runId), undefined)
    assert.equal((await decide('deciding', runId, approve)).status, 200)
  })

  test('who started the run only where the step allows it', async () => {
    const refused = await decide('starter', await aRequest(), approve)
    assert.equal(refused.status, 403)
    assert.match(refused.body.detail, /started the run yourself/)
    assert.equal((await decide('starter', await aRequest({ allowSelf: true }), approve)).status, 200)
  })
})

describe('who asked for the run at a provider', () => {
  const asker = { provider: 'github', baseUrl: 'https://github.com', accountId: '77' }
  const ask = (runId: string, userId?: string) =>
    database.transaction((tx) => house.runs.recordAskers(tx, [runId], { ...asker, userId }))
  const waitsFor = async (who: string, query = '') => (await waitingFor(who, query)).map((one) => one.run_id)
  after(() => linked.clear())

  test('may not decide once their account is linked, whoever the run was started for', async () => {
    linked.clear()
    const [other, runId] = [await aRequest(), await aRequest()]
    await ask(runId)
    assert.deepEqual(await waitsFor('ada', '?limit=1'), [runId], 'nobody knows them yet')
    linked.set('77', 'ada')
    const refused = await decide('ada', runId, approve)
    assert.deepEqual([refused.status, refused.body.code], [403, 'approval.not_approver'])
    assert.match(refused.body.detail, /started the run yourself/)
    assert.deepEqual(await waitsFor('ada', '?limit=1'), [other], 'what they may decide comes in its place')
    assert.ok((await waitsFor('bob')).includes(runId))
    linked.set('77', 'bob')
    assert.equal((await decide('bob', runId, approve)).status, 403)
    assert.equal((await decide('ada', runId, approve)).status, 200)
  })

  test('may where the step allows it', async () => {
    linked.set('77', 'ada')
    const runId = await aRequest({ allowSelf: true })
    await ask(runId)
    assert.ok((await waitsFor('ada')).includes(runId))
    assert.equal((await decide('ada', runId, approve)).status, 200)
  })

  test('may not decide about the runs that it started either', async () => {
    linked.set('77', 'ada')
    const above = await aRequest()
    await ask(above)
    const child = await aRequest()
    await sql`
      update runs set cause = 'pipeline', depth = 1, parent_run_id = ${above}, parent_step = 'a', parent_task = 't',
        parent_attempt = 1 where id = ${child}`.execute(db)
    assert.equal((await decide('ada', child, approve)).status, 403)
    assert.equal((await decide('bob', child, approve)).status, 200)
  })

  test('may not count as a vote that was given before their account was linked', async () => {
    linked.clear()
    const runId = await aRequest({ required: 2 })
    await ask(runId)
    assert.equal((await decide('ada', runId, approve)).status, 200)
    linked.set('77', 'ada')
    assert.equal((await decide('bob', runId, approve)).status, 200)
    assert.equal(await outcomeOf(runId), undefined, 'one of two votes counts')
  })

  test('may not decide after their account was unlinked either: the run knows who they were', async () => {
    linked.clear()
    const approvers = ['user:mona', 'user:ada']
    const runId = await aRequest({ approvers })
    await ask(runId, mona.id)
    const refused = await decide('mona', runId, approve)
    assert.deepEqual([refused.status, refused.body.code], [403, 'approval.not_approver'])
    assert.match(refused.body.detail, /started the run yourself/)
    assert.deepEqual(await waitsFor('mona'), [])
    linked.set('77', 'ada')
    assert.equal((await decide('ada', runId, approve)).status, 403, 'nor may whoever has the account now')
    linked.clear()
    assert.equal((await decide('ada', runId, approve)).status, 200)
  })

  test('is looked for once, for however many requests of a page', async () => {
    linked.set('77', 'ada')
    const runIds = [await aRequest(), await aRequest(), await aRequest()]
    for (const runId of runIds) await ask(runId)
    linked.asked.length = 0
    assert.deepEqual(
      (await waitsFor('bob')).filter((runId) => runIds.includes(runId)),
      runIds.toReversed(),
    )
    assert.deepEqual(linked.asked, ['77'])
  })
})

describe('one person, one vote', () => {
  test('a service account decides only where it is named itself, whatever role it has', async () => {
    const runId = await aRequest({ approvers: ['role:owner'], required: 2 })
    assert.equal((await decide('lead', runId, approve)).status, 200)
    const second = await decide('robot', runId, approve)
    assert.deepEqual([second.status, second.body.code], [403, 'approval.not_approver'])
    assert.match(second.body.detail, /must be named itself/)
    assert.equal(await outcomeOf(runId), undefined)
    assert.deepEqual(await waitingFor('robot'), [])
    const named = await aRequest({ approvers: ['service_account:acme/robot'] })
    assert.deepEqual(
      (await waitingFor('robot')).map((request) => request.run_id),
      [named],
    )
    assert.equal((await decide('robot', named, approve)).status, 200)
  })

  test('the bootstrap token is nobody in particular, and so not one of several', async () => {
    const several = await aRequest({ approvers: ['role:owner'], required: 2 })
    const single = await aRequest({ approvers: ['role:owner'] })
    const waiting = (await waitingFor('root')).map((request) => request.run_id)
    assert.deepEqual([waiting.includes(several), waiting.includes(single)], [false, true])
    const refused = await decide('root', several, approve)
    assert.equal(refused.status, 403)
    assert.match(refused.body.detail, /decide as a user/)
    assert.equal((await decide('root', single, approve)).status, 200)
  })
})

describe('a vote that was given', () => {
  afterEach(() => {
    people = aWorld()
  })

  test('does not count any more once its owner is disabled or has left, and the request says so', async () => {
    for (const [without, why] of [
      [aWorld({ users: USERS.filter(({ id }) => id !== 'ada') }), 'ada is disabled or gone.'],
      [aWorld({ blind: 'ada' }), 'ada may not see the run any more.'],
      [aWorld({ leads: ['bob', 'starter'] }), 'ada may no longer decide: the step asks group:leads, user:lead.'],
    ] as const) {
      people = aWorld()
      const runId = await aRequest({ approvers: ['group:leads', 'user:lead'], required: 2 })
      await decide('ada', runId, approve)
      people = without
      const headers = { authorization: 'Bearer eve' }
      const seen = (await http.app.inject({ url: `/v1/runs/${runId}`, headers })).json()
      assert.equal(seen.approval_requests[0].decisions[0].lapsed, why, 'before anybody decides again')
      const second = await decide('bob', runId, approve)
      assert.equal(second.body.request.status, 'waiting')
      assert.deepEqual(
        second.body.request.decisions.map((one: { by: { name: string }; lapsed: string | null }) => [
          one.by.name,
          one.lapsed,
        ]),
        [
          ['ada', why],
          ['bob', null],
        ],
      )
      assert.equal((await decide('lead', runId, approve)).body.request.status, 'approved')
      people = aWorld()
      assert.equal((await outcomeOf(runId))?.reason, 'approved by bob and lead', 'what is decided is not judged anew')
    }
  })

  test('counts again when its owner is back, and is enough when it is sent again', async () => {
    const runId = await aRequest({ required: 2 })
    await decide('ada', runId, approve)
    people = aWorld({ leads: ['bob'] })
    await decide('bob', runId, approve)
    assert.equal(await outcomeOf(runId), undefined)
    people = aWorld()
    const headers = { authorization: 'Bearer eve' }
    const [request] = (await http.app.inject({ url: `/v1/runs/${runId}`, headers })).json().approval_requests
    assert.match(request.obstacle, /send any of them once more/)
    assert.equal((await decide('ada', runId, approve)).body.request.status, 'approved')
    assert.equal((await outcomeOf(runId))?.reason, 'approved by ada and bob')
    const audited = await db
      .selectFrom('audit_records')
      .select(['actor_name', 'after'])
      .where('resource_id', '=', runId)
      .where('action', '=', 'run.approved')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      audited.map(({ actor_name: name, after: told }) => [name, JSON.stringify(told).includes('"approved"')]),
      [
        ['ada', false],
        ['bob', false],
        ['ada', true],
      ],
    )
  })
})

describe('a request that too few can decide', () => {
  const obstacleOf = async (runId: string): Promise<string | null> => {
    const headers = { authorization: 'Bearer eve' }
    return (await http.app.inject({ url: `/v1/runs/${runId}`, headers })).json().approval_requests[0].obstacle
  }

  test('says so, and whom it asks', async () => {
    // The initiator is a lead, too, and does not count; nor does a service account by its role.
    assert.equal(await obstacleOf(await aRequest({ required: 2 })), null)
    const three = await obstacleOf(await aRequest({ required: 3 }))
    assert.match(three ?? '', /3 of group:leads must approve, and only 2 can/)
    const nobody = await obstacleOf(await aRequest({ approvers: ['group:ledas', 'user:adda'] }))
    assert.match(nobody ?? '', /1 of group:ledas, user:adda must approve, and nobody can/)
    assert.match((await obstacleOf(await aRequest({ approvers: ['role:owner'], required: 2 }))) ?? '', /only 1 can/)
    const two = await aRequest({ required: 2 })
    people = aWorld({ blind: 'bob' })
    assert.match((await obstacleOf(two)) ?? '', /only 1 can/, 'who may not see the run decides nothing')
    people = aWorld()
  })

  test('no longer says so once it is decided', async () => {
    const runId = await aRequest({ required: 3 })
    await decide('ada', runId, reject)
    assert.equal(await obstacleOf(runId), null)
  })
})

describe('a reader of a request', () => {
  const refusalOf = async (who: string, runId: string): Promise<string | null> => {
    const headers = { authorization: `Bearer ${who}` }
    return (await http.app.inject({ url: `/v1/runs/${runId}`, headers })).json().approval_requests[0].refusal
  }

  test('is told why not to decide, exactly where a decision would be refused', async () => {
    const runId = await aRequest({ required: 2 })
    assert.equal(await refusalOf('ada', runId), null)
    assert.match((await refusalOf('eve', runId)) ?? '', /^Only group:leads may decide about release/)
    assert.match((await refusalOf('starter', runId)) ?? '', /^You started the run yourself/)
    const first = await decide('ada', runId, approve)
    assert.match((await refusalOf('ada', runId)) ?? '', /^You have approved it already/)
    assert.equal(first.body.request.refusal, await refusalOf('ada', runId))
    assert.equal(await refusalOf('bob', runId), null)
    await decide('bob', runId, approve)
    assert.equal(await refusalOf('eve', runId), null, 'what is decided refuses nobody')
  })

  test('who has approved is not refused where saying so once more decides', async () => {
    const runId = await aRequest({ required: 2 })
    await decide('ada', runId, approve)
    people = aWorld({ leads: ['bob'] })
    await decide('bob', runId, approve)
    assert.match((await refusalOf('ada', runId)) ?? '', /^Only group:leads/)
    people = aWorld()
    assert.equal(await refusalOf('ada', runId), null)
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
        outputs: {
          decided_by: 'ada, bob',
          answers: '[{"by":"user:ada","fields":{}},{"by":"user:bob","fields":{}}]',
        },
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
      answers: '[{"by":"user:ada","fields":{"region":"eu","ticket":"T-1"}}]',
    })
  })

  test('of several approvers keeps what each of them filled in', async () => {
    const field = {
      name: 'ticket',
      type: 'text' as const,
      required: true,
      options: [],
      default: null,
      description: null,
    }
    const runId = await aRequest({ required: 2, fields: [field, { ...field, name: 'note', required: false }] })
    const first = { ticket: 'T-1', note: 'before "noon"' }
    assert.equal((await decide('ada', runId, { ...approve, fields: first })).status, 200)
    const { body } = await decide('bob', runId, { ...approve, fields: { ticket: 'T-2' } })
    assert.deepEqual(
      body.request.decisions.map((one: { fields: object }) => one.fields),
      [first, { ticket: 'T-2' }],
    )
    const { answers = '', ...outputs } = (await outcomeOf(runId))?.outputs ?? {}
    assert.deepEqual(outputs, { ticket: 'T-2', note: 'before "noon"', decided_by: 'ada, bob' })
    assert.deepEqual(JSON.parse(answers), [
      { by: 'user:ada', fields: first },
      { by: 'user:bob', fields: { ticket: 'T-2' } },
    ])
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

describe('a run that is being canceled', () => {
  test('is not decided about, though its runners have not answered yet', async () => {
    const runId = await aRequest({ required: 2 })
    await db.updateTable('runs').set({ cancel_requested_at: new Date() }).where('id', '=', runId).execute()
    const late = await decide('ada', runId, approve)
    assert.deepEqual([late.status, late.body.code], [409, 'approval.run_canceled'])
    assert.equal(
      await db.selectFrom('approval_decisions').where('commit_sha', 'is', null).executeTakeFirst(),
      undefined,
    )
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

  test('says whose vote did not count any more when it was over', async () => {
    const runId = await aRequest({ approvers: ['user:ada', 'user:bob', 'user:eve'], required: 2 })
    await decide('ada', runId, approve)
    people = aWorld({ users: USERS.filter(({ id }) => id !== 'ada') })
    await decide('bob', runId, approve)
    people = aWorld()
    await work('approvals.expire', await idOf(runId))
    assert.match((await outcomeOf(runId))?.reason ?? '', /: 1 of 2 have approved, not counting ada \(user:ada, /)
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
    assert.deepEqual(await waitingFor('away'), [], 'it is named, and may not see runs there')
    assert.equal((await waitingFor('eve', '?team_path=acme/mobile')).length, 0)
    assert.equal((await waitingFor('eve', '?team_path=acme/web')).length, 2)
  })

  test('holds runs of forks for who may let them go, and for nobody else', async () => {
    const held = {
      pipeline,
      scope: 'acme/web/production',
      initiator,
      cause: 'event',
      untrusted: true,
      pullRequest: 7,
    } as const
    const [runId] = await database.transaction((tx) =>
      house.runs.queue(tx, [{ ...held, commitSha: COMMIT, hold: { kind: 'fork_approval', pullRequest: 7 } }]),
    )
    const isShownTo = async (who: string) => (await waitingFor(who)).some((request) => request.run_id === runId)
    assert.deepEqual(
      [await isShownTo('lead'), await isShownTo('eve'), await isShownTo('stranger')],
      [true, false, false],
    )
  })

  test('is found by names and paths: it reads a page of it, however much waits for others', async () => {
    const template = await aRequest({ approvers: ['user:nobody'] })
    const mine = await aRequest({ approvers: ['role:owner'] })
    // Of other people at the same team, and for the same role elsewhere; all newer.
    await sql`
      insert into approval_requests
      select (jsonb_populate_record(request, jsonb_build_object('id', gen_random_uuid(), 'step', 'step-' || n,
        'team_path', case when n % 2 = 0 then 'acme/web' else 'globex/web' end,
        'approvers', case when n % 2 = 0 then array['user:nobody'] else array['role:owner'] end))).*
      from approval_requests as request, generate_series(1, 1000) as n where run_id = ${template}`.execute(db)
    await database.transaction(async (tx) => {
      const others = tx.selectFrom('approval_requests').select('id').where('run_id', '=', template)
      const rows = await others.where('step', '<>', 'release').execute()
      await insertApprovers(
        tx,
        rows.map((row) => row.id),
      )
    })
    await sql`analyze approval_requests, approval_approvers`.execute(db)
    const waiting = (await waitingFor('lead')).map((request) => request.run_id)
    assert.deepEqual([waiting[0], waiting.includes(template)], [mine, false])
    const query = waitingQuery({
      asker: { kind: 'user', id: 'lead', name: 'lead' },
      names: [
        { approver: 'user:lead', teamPath: 'acme' },
        { approver: 'role:owner', teamPath: 'acme' },
      ],
      before: undefined,
      limit: 10,
    })
    assert.ok((await countRowsRead(db, query)) < 100)
    await db.deleteFrom('approval_requests').where('run_id', '=', template).execute()
  })

  test('forgets whom it asked when it is decided or withdrawn', async () => {
    const decided = await aRequest()
    await decide('ada', decided, approve)
    const withdrawn = await aRequest()
    const fact = { id: withdrawn, kind: 'run.finished', version: 1, occurredAt: new Date() }
    for (const reaction of approvalReactions(house.kit)) {
      await reaction.react({ ...fact, payload: { run_id: withdrawn, status: 'canceled' } })
    }
    const left = await db
      .selectFrom('approval_approvers as asked')
      .innerJoin('approval_requests as request', 'request.id', 'asked.request_id')
      .select('request.run_id')
      .where('request.run_id', 'in', [decided, withdrawn])
      .execute()
    assert.deepEqual(left, [])
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

  test('is told what was decided, whatever has become of the votes since', async () => {
    const runId = await aRequest({ required: 2 })
    await decide('ada', runId, approve)
    await decide('bob', runId, approve)
    await sql`update approval_decisions set lapsed = 'gone' from approval_requests as request
      where request.id = request_id and request.run_id = ${runId} and subject_id = 'ada'`.execute(db)
    assert.equal((await outcomeOf(runId))?.outcome, 'approved')
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
