import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import type { GraphApproval } from '@signalbox/pipeline/graph'
import { createTestDatabase } from '#platform/testing'
import { TEAM } from '../sources/testing.ts'
import {
  aRepository,
  type CommandHouse,
  type CommentOptions,
  type FakePerson,
  giveCommand,
  HEAD,
  linkUser,
  listAudited,
  MONA,
  openCommands,
  openFakeProvider,
  type Repository,
} from './testing.ts'

const house: CommandHouse = await openCommands(await createTestDatabase())
const provider = await openFakeProvider()
after(async () => {
  await house.close()
  await provider.close()
})
afterEach(() => {
  provider.pull = { head: HEAD, fork: false, state: 'open' }
  provider.beforePull = undefined
})

const db = house.kit.database.kysely
const lead: FakePerson = { id: 7_001, login: 'lead' }
const viewer: FakePerson = { id: 7_002, login: 'viewer' }
const foreign: FakePerson = { id: 7_003, login: 'foreign' }
const leadUser = await linkUser(house, provider, {
  login: 'lead',
  role: 'operator',
  teamPath: TEAM,
  accountId: lead.id,
})
await linkUser(house, provider, { login: 'viewer', role: 'viewer', teamPath: TEAM, accountId: viewer.id })
await house.call('POST', '/v1/teams', { path: 'acme/far' })
await linkUser(house, provider, { login: 'foreign', role: 'owner', teamPath: 'acme/far', accountId: foreign.id })

const OTHER = 'd'.repeat(40)
const give = (repository: Repository, body: string, options?: CommentOptions) =>
  giveCommand(house, repository, body, options)

/** A pull request from a fork whose run waits for a member. */
async function aHeldRun(): Promise<Repository> {
  provider.pull = { head: HEAD, fork: true, state: 'open' }
  const repository = await aRepository(house, provider)
  await repository.open()
  assert.deepEqual(
    (await repository.runs()).map(({ withheld }) => withheld),
    ['fork_approval'],
  )
  return repository
}

const withheld = async (repository: Repository) => (await repository.runs()).map((run) => run.withheld)

describe('/ok-to-test', () => {
  test('lets the held run of the very commit begin, as the linked user', async () => {
    const repository = await aHeldRun()
    const given = await give(repository, `/ok-to-test ${HEAD}`, { by: lead })
    assert.deepEqual([given.outcome, given.told?.reaction], ['approved', 'done'])
    const [run] = await repository.runs()
    assert.deepEqual([run?.withheld, run?.untrusted], [null, true])
    assert.equal(given.command?.['acted_as'], 'lead')
    const record = (await listAudited(house, run?.id)).find(({ action }) => action === 'run.approved')
    assert.equal(record?.actor_id, leadUser.id)
    assert.partialDeepStrictEqual(record?.state, { via: 'comment', comment: { author_id: '7001' }, commit_sha: HEAD })
  })

  test('is nothing for who is not linked, though they may write', async () => {
    const repository = await aHeldRun()
    const given = await give(repository, `/ok-to-test ${HEAD}`, { by: MONA })
    assert.deepEqual(
      [given.outcome, given.told],
      ['not_linked', { commentId: given.id, reaction: 'refused', text: undefined }],
    )
    assert.match(given.reason, /linked to no user/)
    assert.deepEqual(await withheld(repository), ['fork_approval'])
  })

  test('is nothing for a linked user who may not approve, and for one of another team', async () => {
    const repository = await aHeldRun()
    assert.equal((await give(repository, `/ok-to-test ${HEAD}`, { by: viewer })).outcome, 'not_permitted')
    assert.equal((await give(repository, `/ok-to-test ${HEAD}`, { by: foreign })).outcome, 'nothing_to_do')
    assert.deepEqual(await withheld(repository), ['fork_approval'])
  })

  test('is nothing for who took over the login of a linked account', async () => {
    const repository = await aHeldRun()
    assert.equal(
      (await give(repository, `/ok-to-test ${HEAD}`, { by: { id: 8_888, login: 'lead' } })).outcome,
      'not_linked',
    )
    assert.deepEqual(await withheld(repository), ['fork_approval'])
  })

  test('takes no part of a commit, and no other commit', async () => {
    const repository = await aHeldRun()
    provider.permissions.set('lead', { id: lead.id, permission: 'write' })
    const short = await give(repository, `/ok-to-test ${HEAD.slice(0, 12)}`, { by: lead })
    assert.deepEqual([short.outcome, short.told?.reaction], ['malformed', 'confused'])
    assert.equal((await give(repository, `/ok-to-test ${OTHER}`, { by: lead })).outcome, 'head_moved')
    assert.deepEqual(await withheld(repository), ['fork_approval'])
  })

  test('is nothing where the head moved between the comment and the decision', async () => {
    const repository = await aHeldRun()
    provider.beforePull = () => {
      provider.pull = { ...provider.pull, head: OTHER }
    }
    const given = await give(repository, `/ok-to-test ${HEAD}`, { by: lead })
    assert.equal(given.outcome, 'head_moved')
    assert.match(given.told?.text ?? '', new RegExp(`is at ${OTHER}: look at that commit`))
    assert.deepEqual(await withheld(repository), ['fork_approval'])
  })

  test('is nothing where a delivery told of a newer head than the provider shows', async () => {
    const repository = await aHeldRun()
    await db
      .updateTable('pull_request_heads')
      .set({ head_sha: OTHER })
      .where('repository', '=', repository.fullName)
      .execute()
    assert.equal((await give(repository, `/ok-to-test ${HEAD}`, { by: lead })).outcome, 'head_moved')
    assert.deepEqual(await withheld(repository), ['fork_approval'])
  })
})

const FIELD = { name: 'reason', type: 'text', required: true, options: [], default: null, description: null } as const

const APPROVAL: GraphApproval = {
  approvers: ['role:operator'],
  required: 1,
  timeoutMs: 3_600_000,
  reminderMs: null,
  allowSelf: false,
  message: null,
  fields: [],
}

/** A run of the pull request that waits at its step `release`. */
async function aWaitingRun(given: Partial<GraphApproval> = {}, starter: string = 'somebody'): Promise<Repository> {
  const repository = await aRepository(house, provider)
  await repository.open()
  await waitAtStep(repository, given, starter)
  return repository
}

/** The newest run of the pull request has reached its step `release`. */
async function waitAtStep(repository: Repository, given: Partial<GraphApproval>, starter: string): Promise<void> {
  const [run] = await repository.runs()
  assert.ok(run)
  const row = await db.selectFrom('runs').selectAll().where('id', '=', run.id).executeTakeFirstOrThrow()
  const initiator = { kind: 'user', id: starter, name: starter } as const
  await house.kit.database.transaction((tx) =>
    house.approvals.request(tx, [
      {
        runId: run.id,
        step: 'release',
        approval: { ...APPROVAL, ...given },
        run: {
          teamPath: TEAM,
          pipelineIdentifier: row.pipeline_identifier,
          pipelineVersionId: row.pipeline_version_id,
          scope: row.scope,
          initiator,
          repository: row.repository,
          commitSha: row.commit_sha,
        },
      },
    ]),
  )
}

async function callerOf(userId: string) {
  const caller = await house.doors.access.newSubject('user', userId)
  assert.ok(caller)
  return caller
}

async function statusOf(repository: Repository): Promise<readonly string[]> {
  const [run] = await repository.runs()
  const rows = await db
    .selectFrom('approval_requests')
    .select('status')
    .where('run_id', '=', run?.id ?? '')
    .execute()
  return rows.map(({ status }) => status)
}

describe('/approve', () => {
  test('decides about the step as the linked user, once', async () => {
    const repository = await aWaitingRun()
    const given = await give(repository, `/approve release ${HEAD}`, { by: lead })
    assert.deepEqual([given.outcome, await statusOf(repository)], ['approved', ['approved']])
    const [run] = await repository.runs()
    const decisions = await db.selectFrom('approval_decisions').select(['subject_id', 'commit_sha']).execute()
    assert.ok(decisions.some((each) => each.subject_id === leadUser.id && each.commit_sha === HEAD))
    const record = (await listAudited(house, run?.id)).find(({ action }) => action === 'run.approved')
    assert.partialDeepStrictEqual(record?.state, { via: 'comment', approval: 'release' })
    assert.equal((await give(repository, `/approve release ${HEAD}`, { by: lead })).outcome, 'nothing_to_do')
  })

  const refused: [string, FakePerson, Partial<GraphApproval>, string | undefined, string][] = [
    ['who is not linked', MONA, {}, undefined, 'not_linked'],
    ['who is no approver', viewer, {}, undefined, 'not_permitted'],
    ['who does not see the run', foreign, {}, undefined, 'nothing_to_do'],
    ['who started the run', lead, {}, leadUser.id, 'not_permitted'],
    ['whom the step does not name', lead, { approvers: ['user:root'] }, undefined, 'not_permitted'],
    ['a step that asks for fields', lead, { fields: [FIELD] }, undefined, 'not_possible'],
  ]
  for (const [what, by, approval, starter, outcome] of refused) {
    test(`is refused to ${what}`, async () => {
      const repository = await aWaitingRun(approval, starter)
      const given = await give(repository, `/approve release ${HEAD}`, { by })
      assert.deepEqual([given.state, given.outcome], ['refused', outcome])
      assert.deepEqual(await statusOf(repository), ['waiting'])
    })
  }

  test('is refused to who asked for the run while nobody knew them, and was linked later', async () => {
    const later: FakePerson = { id: 7_004, login: 'later' }
    provider.permissions.set(later.login, { id: later.id, permission: 'write' })
    const repository = await aRepository(house, provider)
    assert.equal((await give(repository, '/run build', { by: later })).outcome, 'started')
    await waitAtStep(repository, {}, 'owner-of-the-source')
    const linked = await linkUser(house, provider, {
      login: 'later',
      role: 'operator',
      teamPath: TEAM,
      accountId: later.id,
    })
    const given = await give(repository, `/approve release ${HEAD}`, { by: later })
    assert.deepEqual([given.outcome, await statusOf(repository)], ['not_permitted', ['waiting']])
    assert.match(given.reason, /You started the run yourself/)
    const waiting = await house.approvals.count(await callerOf(linked.id), TEAM, 100)
    assert.ok(waiting.mine < waiting.waiting, 'it does not wait for them')
    assert.equal((await give(repository, `/approve release ${HEAD}`, { by: lead })).outcome, 'approved')
  })

  test('is refused for another commit, another step, and a head that moved', async () => {
    const repository = await aWaitingRun()
    assert.equal((await give(repository, `/approve release ${OTHER}`, { by: lead })).outcome, 'head_moved')
    assert.equal((await give(repository, `/approve deploy ${HEAD}`, { by: lead })).outcome, 'nothing_to_do')
    provider.pull = { head: OTHER, fork: false, state: 'open' }
    assert.equal((await give(repository, `/approve release ${HEAD}`, { by: lead })).outcome, 'head_moved')
    // The new head has no run that waits, whatever the commit that is named.
    assert.equal((await give(repository, `/approve release ${OTHER}`, { by: lead })).outcome, 'nothing_to_do')
    assert.deepEqual(await statusOf(repository), ['waiting'])
  })

  test('of the step fork is /ok-to-test', async () => {
    const repository = await aHeldRun()
    assert.equal((await give(repository, `/approve fork ${HEAD}`, { by: lead })).outcome, 'approved')
    assert.deepEqual(await withheld(repository), [null])
  })
})
