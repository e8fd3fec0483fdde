import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { aPullRequestPayload, aPushPayload, signDelivery } from '../../../adapters/forges/github/testing.ts'
import { aConnectedSource, deliver, openCauses, SECRET } from '../sources/testing.ts'

const causes = await openCauses(await createTestDatabase())
const db = causes.kit.database.kysely
after(() => causes.close())

const [HEAD, REVIEWED] = ['b'.repeat(40), 'd'.repeat(40)]

let made = 0
async function aRepository(trigger: Readonly<Record<string, unknown>>) {
  made += 1
  const name = `kinds-${made}`
  const fullName = `acme/${name}`
  const { id, url } = await aConnectedSource(
    causes,
    { name },
    { name, repositories: [fullName], branches: [], ...trigger },
  )
  const payload = {
    repository: aPushPayload({ repository: { full_name: fullName } })['repository'],
    sender: user('mona'),
  }
  return {
    fullName,
    /** Sends it, and answers how the trigger's trace ends. */
    async send(event: string, told: object) {
      const delivery = signDelivery({ ...payload, ...told }, { secret: SECRET, event, deliveryId: randomUUID() })
      const answer = await deliver(causes, url, delivery)
      assert.ok(answer.status === 200 || answer.status === 202, answer.text)
      const newest = (await causes.call('GET', `/v1/git-webhook-sources/${id}/deliveries?limit=1`)).body[0]
      const { body } = await causes.call('GET', `/v1/git-webhook-sources/${id}/deliveries/${newest?.['id']}`)
      const { outcome, first_failed: failed, reason } = Object(body['trace']).events[0].triggers[0]
      return { outcome, failed, reason: String(reason) }
    },
    runs: () => db.selectFrom('runs').selectAll().where('repository', '=', fullName).orderBy('id').execute(),
  }
}

function user(login: string) {
  return { login, id: login.length, type: 'User' }
}

function aReview(fullName: string, { fork = false, association = 'MEMBER', state = 'approved' } = {}) {
  const at = '2026-11-21T10:00:00Z'
  const { pull_request } = aPullRequestPayload({ repository: { full_name: fullName }, head: HEAD, fork, updatedAt: at })
  const review = { id: 9, state, body: 'Good.', user: user('mona'), commit_id: REVIEWED, submitted_at: at }
  return { action: 'submitted', pull_request, review: { ...review, author_association: association } }
}

describe('a review of a pull request', () => {
  const trigger = { events: ['pull_request_review'], commenters: ['mona'] }

  test('starts a run of the commit that was reviewed, not of what was pushed since', async () => {
    const { fullName, send, runs } = await aRepository(trigger)
    assert.equal((await send('pull_request_review', aReview(fullName))).outcome, 'started')
    assert.deepEqual(
      (await runs()).map((run) => [run.commit_sha, run.untrusted]),
      [[REVIEWED, false]],
    )
  })

  test('of a fork is held and gets no trust, with any approver', async () => {
    const { fullName, send, runs } = await aRepository(trigger)
    assert.equal((await send('pull_request_review', aReview(fullName, { fork: true }))).outcome, 'held')
    assert.deepEqual(
      (await runs()).map((run) => run.untrusted),
      [true],
    )
  })

  test('of a stranger starts nothing, unless the trigger names them', async () => {
    for (const association of ['NONE', 'MEMBER', 'COLLABORATOR', 'OWNER']) {
      const { fullName, send } = await aRepository({ events: ['pull_request_review'] })
      const { failed } = await send('pull_request_review', aReview(fullName, { association }))
      assert.equal(failed, 'commenter', association)
    }
    const { fullName, send } = await aRepository(trigger)
    assert.equal((await send('pull_request_review', aReview(fullName, { association: 'NONE' }))).outcome, 'started')
  })

  test('that asks for changes starts only a trigger that names it', async () => {
    const one = await aRepository(trigger)
    const asking = { state: 'changes_requested' }
    assert.equal((await one.send('pull_request_review', aReview(one.fullName, asking))).failed, 'action')
    const other = await aRepository({ ...trigger, actions: ['changes_requested'] })
    assert.equal((await other.send('pull_request_review', aReview(other.fullName, asking))).outcome, 'started')
  })
})

describe('a commit that no push tells of', () => {
  const deployment = { id: 1, sha: HEAD, ref: 'main', environment: 'production', created_at: '2026-11-21T10:00:00Z' }
  const suite = { id: 5, head_branch: 'main', head_sha: HEAD, pull_requests: [] }

  for (const [what, event, told] of [
    ['a deployment of a branch', 'deployment', { action: 'created', deployment }],
    [
      'a deployment that went well',
      'deployment_status',
      { action: 'created', deployment, deployment_status: { id: 2, state: 'success' } },
    ],
    ['a check of a branch', 'check_suite', { action: 'rerequested', check_suite: suite }],
    [
      'a merge group',
      'merge_group',
      {
        action: 'checks_requested',
        merge_group: {
          head_sha: HEAD,
          head_ref: 'refs/heads/gh-readonly-queue/main/pr-7',
          base_ref: 'refs/heads/main',
        },
      },
    ],
  ] as const) {
    test(`starts a run: ${what}`, async () => {
      const { send, runs } = await aRepository({
        events: ['deployment', 'deployment_status', 'check', 'merge_group'],
        branches: ['main'],
      })
      assert.equal((await send(event, told)).outcome, 'started')
      assert.deepEqual(
        (await runs()).map((run) => [run.commit_sha, run.untrusted]),
        [[HEAD, false]],
      )
    })
  }

  const ofFork = [{ number: 7, head: { repo: { id: 4711 } }, base: { repo: { id: 1 } } }]
  for (const [what, event, told] of [
    ['a deployment of a commit', 'deployment', { action: 'created', deployment: { ...deployment, ref: HEAD } }],
    [
      'a deployment of a pull request',
      'deployment',
      { action: 'created', deployment: { ...deployment, ref: 'pull/7/head' } },
    ],
    ['a check of a fork', 'check_suite', { action: 'rerequested', check_suite: { ...suite, head_branch: null } }],
    [
      'a check of a pull request from a fork',
      'check_suite',
      { action: 'rerequested', check_suite: { ...suite, pull_requests: ofFork } },
    ],
  ] as const) {
    test(`may be of a fork and starts nothing: ${what}`, async () => {
      const { send, runs } = await aRepository({ events: ['deployment', 'deployment_status', 'check'] })
      const { outcome, reason } = await send(event, told)
      assert.equal(outcome, 'refused')
      assert.match(reason, /names a commit without its branch: it may be of a fork/)
      assert.deepEqual(await runs(), [])
    })
  }

  test('a check that is asked for twice starts twice', async () => {
    const { send, runs } = await aRepository({ events: ['check'] })
    for (let times = 0; times < 2; times += 1) await send('check_suite', { action: 'rerequested', check_suite: suite })
    assert.equal((await runs()).length, 2)
  })

  test('deployments of one commit to two environments at once are two', async () => {
    const { send, runs } = await aRepository({ events: ['deployment'] })
    await send('deployment', { action: 'created', deployment })
    await send('deployment', { action: 'created', deployment: { ...deployment, id: 2, environment: 'staging' } })
    assert.equal((await runs()).length, 2)
  })
})

test('a dispatch starts by its type, and its data are values of the run', async () => {
  const { send, runs } = await aRepository({ events: ['dispatch'], if: 'event.dispatch.type == "deploy-shop"' })
  const told = { action: 'deploy-shop', branch: 'main', client_payload: { version: '1.2.3' } }
  assert.equal((await send('repository_dispatch', { ...told, action: 'other' })).failed, 'if')
  assert.equal((await send('repository_dispatch', told)).outcome, 'started')
  const [run, ...more] = await runs()
  assert.deepEqual([run?.ref, run?.untrusted, more], ['refs/heads/main', false, []])
  const choosy = await aRepository({ events: ['dispatch'], if: 'event.dispatch.payload.version == "1.2.3"' })
  assert.equal((await choosy.send('repository_dispatch', told)).outcome, 'started')
})
