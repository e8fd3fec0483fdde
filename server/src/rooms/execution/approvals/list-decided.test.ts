import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ApprovalInput, ApprovalRequest } from '@signalbox/contracts/approvals'
import { sql } from 'kysely'
import type { HttpServer } from '#platform/http'
import { countRowsRead, createTestDatabase, createTestHttp, testAuthenticator, testCaller } from '#platform/testing'
import { aSnapshot } from '../../foundation/access/testing.ts'
import { aRunnablePipeline, type ExecutionHouse, openExecution } from '../dispatch/testing/index.ts'
import type { RunnablePipeline } from '../runs/index.ts'
import { decidedQuery } from './store/decided.ts'
import { withdrawOfRun } from './store/requests.ts'

const COMMIT = 'a'.repeat(40)
const initiator = { kind: 'user', id: 'starter', name: 'starter' } as const
const callers = {
  ada: testCaller({ acme: ['run.read'] }, { id: 'ada', name: 'ada' }),
  lead: testCaller({ acme: ['*'] }, { id: 'lead', name: 'lead' }),
  /** Is asked nothing, and sees the runs. */
  viewer: testCaller({ 'acme/web': ['run.read'] }, { id: 'viewer', name: 'viewer' }),
  mobile: testCaller({ 'acme/mobile': ['*'] }, { id: 'mobile', name: 'mobile' }),
  /** Could approve, and sees no run. */
  blind: testCaller({ acme: ['run.approve'] }, { id: 'blind', name: 'blind' }),
  stranger: testCaller({ other: ['*'], 'acme-labs': ['*'] }, { id: 'stranger', name: 'stranger' }),
  root: testCaller(),
}

let house: ExecutionHouse
let http: HttpServer
let pipeline: RunnablePipeline

// Registered before the database's own: hooks run in that order.
after(async () => {
  await http.close(100)
  await house.stop()
})

const { database } = await createTestDatabase()
const db = database.kysely

before(async () => {
  const snapshot = aSnapshot({
    users: ['ada', 'lead'].map((id) => ({ id, login: id })),
    grants: ['ada', 'lead'].map((id) => ({ subjectKind: 'user', subjectId: id, role: 'owner', teamPath: 'acme' })),
  })
  house = await openExecution(database, { snapshot: () => snapshot, dispatches: false })
  const runnable = await aRunnablePipeline(house, 'ship', 'steps: [{ name: a, tasks: [{ name: t, run: "true" }] }]\n')
  pipeline = runnable.pipeline
  http = await createTestHttp(
    house.parts.flatMap((part) => part.routes ?? []),
    testAuthenticator(callers),
  )
})

/** A run that has reached its step `release`. */
async function aRequest(teamPath = 'acme/web', required = 1): Promise<string> {
  return database.transaction(async (tx) => {
    const [runId = ''] = await house.runs.queue(tx, [
      { pipeline, scope: 'acme/web/production', initiator, cause: 'request', commitSha: COMMIT },
    ])
    const place = { teamPath, pipelineIdentifier: pipeline.identifier, pipelineVersionId: pipeline.versionId }
    const run = { ...place, scope: 'acme/web/production', initiator, repository: null, commitSha: COMMIT }
    const rest = { timeoutMs: 3_600_000, reminderMs: null, allowSelf: false, message: 'Ship it?', fields: [] }
    const approval = { approvers: ['user:ada', 'user:lead'], required, ...rest }
    await house.approvals.request(tx, [{ runId, step: 'release', approval, run }])
    return runId
  })
}

async function aHeldRun(pullRequest: number): Promise<string> {
  const held = { untrusted: true, pullRequest, hold: { kind: 'fork_approval', pullRequest } } as const
  const [runId = ''] = await database.transaction((tx) =>
    house.runs.queue(tx, [
      { pipeline, scope: 'acme/web/production', initiator, cause: 'event', commitSha: COMMIT, ...held },
    ]),
  )
  return runId
}

async function decide(who: string, runId: string, body: ApprovalInput, step = 'release'): Promise<string> {
  const url = `/v1/runs/${runId}/approvals/${step}`
  const headers = { authorization: `Bearer ${who}` }
  const answer = await http.app.inject({ method: 'POST', url, headers, payload: body })
  assert.equal(answer.statusCode, 200, answer.body)
  return runId
}

/** What was decided at that minute, so that the order is known. */
async function at(minute: number, runId: string): Promise<string> {
  const time = new Date(Date.UTC(2026, 10, 28, 9, minute))
  await db.updateTable('approval_requests').set({ decided_at: time }).where('run_id', '=', runId).execute()
  await db.updateTable('run_approvals').set({ decided_at: time }).where('run_id', '=', runId).execute()
  return runId
}

const ask = (who: string, query = '') =>
  http.app.inject({ url: `/v1/approvals?state=decided${query}`, headers: { authorization: `Bearer ${who}` } })

async function decided(who: string, query = ''): Promise<ApprovalRequest[]> {
  const answer = await ask(who, query)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

const runsOf = (requests: readonly ApprovalRequest[]): string[] => requests.map(({ run_id }) => run_id)
const approve: ApprovalInput = { decision: 'approve' }

describe('what was decided', () => {
  let story: { readonly [K in 'approved' | 'rejected' | 'expired' | 'fork' | 'turnedAway' | 'mobile']: string }

  before(async () => {
    const [approved, rejected, expired, mobile] = [
      await aRequest('acme/web', 2),
      await aRequest(),
      await aRequest(),
      await aRequest('acme/mobile'),
    ]
    const [fork, turnedAway] = [await aHeldRun(7), await aHeldRun(8)]
    await aRequest()
    await aHeldRun(9)
    await withdrawOfRun(db, await aRequest(), new Date())

    await at(30, await decide('lead', fork, { ...approve, comment: 'looks fine' }, 'fork'))
    await at(10, await decide('lead', turnedAway, { decision: 'reject' }, 'fork'))
    await decide('ada', approved, { ...approve, comment: 'mine' })
    await at(40, await decide('lead', approved, approve))
    await at(20, await decide('ada', rejected, { decision: 'reject', comment: 'not on a Friday' }))
    const { id } = await db
      .selectFrom('approval_requests')
      .select('id')
      .where('run_id', '=', expired)
      .executeTakeFirstOrThrow()
    const expire = house.parts.flatMap((part) => part.jobs ?? []).find(({ name }) => name === 'approvals.expire')
    await expire?.run({ id }, new AbortController().signal)
    await at(50, expired)
    await at(60, await decide('lead', mobile, approve))
    story = { approved, rejected, expired, fork, turnedAway, mobile }
  })

  test('is told with who decided, when, and how; the newest decision first, and nothing that waits or was withdrawn', async () => {
    const { expired, approved, fork, rejected, turnedAway } = story
    const found = await decided('viewer')
    assert.deepEqual(runsOf(found), [expired, approved, fork, rejected, turnedAway])
    assert.deepEqual(
      found.map(({ step, status, decided_at, decisions }) => [
        step,
        status,
        decided_at?.slice(11, 16),
        decisions.map(({ by, decision, comment }) => `${by.name} ${decision} ${comment ?? ''}`.trim()),
      ]),
      [
        ['release', 'timed_out', '09:50', []],
        ['release', 'approved', '09:40', ['ada approve mine', 'lead approve']],
        ['fork', 'approved', '09:30', ['lead approve looks fine']],
        ['release', 'rejected', '09:20', ['ada reject not on a Friday']],
        ['fork', 'rejected', '09:10', ['lead reject']],
      ],
    )
    assert.deepEqual(
      found.map(({ decisions }) => decisions.every(({ commit_sha }) => commit_sha === COMMIT)),
      found.map(() => true),
    )
    assert.ok(found.every(({ obstacle, refusal }) => obstacle === null && refusal === null))
  })

  test('comes in pages, steps and forks together, also where many were decided at one time', async () => {
    const pages = async (limit: number): Promise<string[]> => {
      const seen: string[] = []
      let url = `/v1/approvals?state=decided&limit=${limit}`
      for (let page = 0; url !== '' && page < 10; page++) {
        const answer = await http.app.inject({ url, headers: { authorization: 'Bearer root' } })
        seen.push(...runsOf(answer.json()))
        url = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1] ?? ''
      }
      return seen
    }
    const { mobile, expired, approved, fork, rejected, turnedAway } = story
    const all = [mobile, expired, approved, fork, rejected, turnedAway]
    for (const limit of [1, 2, 4, 6]) assert.deepEqual(await pages(limit), all, `${limit} a page`)
    for (const runId of all) await at(0, runId)
    const whole = runsOf(await decided('root'))
    assert.deepEqual(whole.toSorted(), all.toSorted())
    for (const limit of [1, 2, 5]) assert.deepEqual(await pages(limit), whole, `${limit} a page, of one time`)
    for (const [place, runId] of all.toReversed().entries()) await at(10 * (place + 1), runId)
  })

  test('is for who sees the run: nothing of another team, nor of one whose name begins alike', async () => {
    assert.deepEqual(runsOf(await decided('mobile')), [story.mobile])
    assert.deepEqual(await decided('stranger'), [])
    assert.deepEqual(await decided('blind'), [], 'run.approve is not run.read')
    assert.equal((await decided('root')).length, 6)
    assert.equal((await decided('lead', '&team_path=acme/web')).length, 5)
    assert.deepEqual(runsOf(await decided('lead', '&team_path=acme/mobile')), [story.mobile])
    assert.deepEqual(await decided('viewer', '&team_path=acme/mobile'), [])
    assert.deepEqual(await decided('viewer', '&team_path=acme/we'), [])
  })

  test('tells nothing of what is behind a cursor that the caller may not see', async () => {
    const { fork, expired, mobile } = story
    const [step] = await db.selectFrom('approval_requests').select('id').where('run_id', '=', expired).execute()
    // Both are newer than what is decided in acme/mobile.
    await at(70, fork)
    await at(80, expired)
    for (const id of [fork, step?.id]) {
      assert.ok(runsOf(await decided('root', `&cursor=${id}`)).includes(mobile))
      assert.deepEqual(await decided('mobile', `&cursor=${id}`), [], 'nor when it was decided')
      assert.deepEqual(await decided('root', `&team_path=acme/mobile&cursor=${id}`), [])
    }
    await at(30, fork)
    await at(50, expired)
  })

  test('is asked for by its name; what waits is the list without it', async () => {
    const headers = { authorization: 'Bearer ada' }
    const list = async (query: string) => (await http.app.inject({ url: `/v1/approvals${query}`, headers })).json()
    assert.deepEqual(await list('?state=waiting'), await list(''))
    assert.ok((await list('')).every(({ status }: ApprovalRequest) => status === 'waiting'))
    assert.equal((await http.app.inject({ url: '/v1/approvals?state=decided' })).statusCode, 401)
    for (const query of ['?state=withdrawn', '?state=decided&cursor=x', '?state=decided&limit=0']) {
      assert.equal((await http.app.inject({ url: `/v1/approvals${query}`, headers })).statusCode, 400, query)
    }
    const gone = '&cursor=01900000-0000-7000-8000-000000000009'
    assert.deepEqual(await decided('ada', gone), [], 'behind a run that is gone nothing is known')
  })

  test('is found team by team: it reads a page, however much was decided elsewhere', async () => {
    await sql`
      insert into approval_requests
      select (jsonb_populate_record(request, jsonb_build_object('id', gen_random_uuid(), 'step', 'step-' || n,
        'team_path', 'acme-labs', 'decided_at', now()))).*
      from approval_requests as request, generate_series(1, 1000) as n where run_id = ${story.approved}`.execute(db)
    await sql`analyze approval_requests`.execute(db)
    const filter = { prefixes: ['acme'], before: undefined, limit: 10 }
    assert.ok((await countRowsRead(db, decidedQuery(filter))) < 100)
    assert.equal((await decided('lead')).length, 6)
    assert.ok((await countRowsRead(db, decidedQuery({ ...filter, prefixes: ['/'] }))) < 200)
  })
})
