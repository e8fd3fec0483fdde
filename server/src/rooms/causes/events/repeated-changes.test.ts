import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { aPullRequestPayload, aPushPayload, signDelivery, signPush } from '../../../adapters/forges/github/testing.ts'
import { aConnectedSource, aSource, aTrigger, type Called, deliver, openCauses, SECRET } from '../sources/testing.ts'

/** One change of which several hooks tell: one run of each trigger. */

const testDatabase = await createTestDatabase()
const KEY = 'a key of more than sixteen characters'
const causes = await openCauses(testDatabase, { EVENT_SIGNING_SECRET: KEY })
after(() => causes.close())
const db = testDatabase.database.kysely

let named = 0
async function twoHooks(trigger: Record<string, unknown> = {}) {
  named += 1
  const urls: string[] = []
  const ids: string[] = []
  for (const kind of ['repository', 'organisation']) {
    const created = await causes.call('POST', '/v1/git-webhook-sources', aSource({ name: `${kind}-${named}` }))
    ids.push(String(created.body['id']))
    urls.push(`/v1/git/webhooks/${String(created.body['id'])}`)
  }
  const repository = `acme/widgets-${named}`
  const written = await causes.call(
    'POST',
    '/v1/triggers',
    aTrigger({ name: `t${named}`, repositories: [repository], ...trigger }),
  )
  assert.equal(written.status, 201, written.text)
  const triggerId = String(written.body['id'])
  const runs = async () => db.selectFrom('runs').selectAll().where('trigger_id', '=', triggerId).orderBy('id').execute()
  const [first = '', second = ''] = urls
  return { first, second, ids, repository, runs }
}

const push = (repository: string, commit: string, change: Record<string, unknown> = {}) =>
  signPush({
    secret: SECRET,
    deliveryId: randomUUID(),
    after: commit,
    repository: { full_name: repository },
    ...change,
  })

async function newest(sourceId = ''): Promise<Called['body']> {
  const list = await causes.call('GET', `/v1/git-webhook-sources/${sourceId}/deliveries?limit=1`)
  const id = String(list.body[0]?.['id'])
  return (await causes.call('GET', `/v1/git-webhook-sources/${sourceId}/deliveries/${id}`)).body
}

describe('a push of which two hooks tell', () => {
  test('starts one run; the second record names the first delivery, and is answered alike', async () => {
    const { first, second, ids, repository, runs } = await twoHooks()
    assert.equal((await deliver(causes, first, push(repository, '1'.repeat(40)))).status, 202)
    const answer = await deliver(causes, second, push(repository, '1'.repeat(40)))
    assert.deepEqual([answer.status, answer.body], [202, { status: 'accepted' }])
    const [run, ...more] = await runs()
    assert.ok(run)
    assert.deepEqual(more, [])
    const record = await newest(ids[1])
    assert.equal(record['result'], 'duplicate')
    assert.equal(record['duplicate_of'], run.delivery_record_id)
    assert.deepEqual(record['run_ids'], [])
    assert.match(JSON.stringify(record['trace']), new RegExp(`"outcome":"duplicate".*${run.id}`))
  })

  test('at the very same time starts one run, in any order', async () => {
    const { first, second, repository, runs } = await twoHooks()
    const commits = Array.from({ length: 40 }, (_, at) => (at + 1).toString(16).padStart(2, '0').repeat(20))
    const answers = await Promise.all(
      commits.flatMap((commit) => [first, second].map((url) => deliver(causes, url, push(repository, commit)))),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]))
    const started = await runs()
    assert.equal(started.length, 40)
    assert.equal(new Set(started.map((run) => run.commit_sha)).size, 40)
  })

  test('starts the triggers of both sources where each has its own', async () => {
    const { first, second, ids, repository, runs } = await twoHooks()
    const own = aTrigger({ name: `own-${named}`, repositories: [repository], source_id: ids[1] })
    const written = await causes.call('POST', '/v1/triggers', own)
    assert.equal(written.status, 201, written.text)
    await deliver(causes, first, push(repository, '2'.repeat(40)))
    await deliver(causes, second, push(repository, '2'.repeat(40)))
    assert.equal((await runs()).length, 1)
    const record = await newest(ids[1])
    assert.equal(record['result'], 'accepted')
    assert.equal(JSON.parse(JSON.stringify(record['run_ids'])).length, 1)
    assert.match(JSON.stringify(record['trace']), /"outcome":"duplicate"/)
  })

  const posted = (repository: string, commit: string) => ({
    kind: 'push',
    action: 'updated',
    provider: 'github',
    repository: { full_name: repository },
    ref: 'refs/heads/main',
    branch: 'main',
    before: 'a'.repeat(40),
    after: commit,
    occurred_at: OCCURRED,
  })

  test('is told of by the posted event of a bot, too', async () => {
    const { first, repository, runs } = await twoHooks()
    const commit = '3'.repeat(40)
    await deliver(causes, first, push(repository, commit))
    const { body } = await causes.call('POST', '/v1/git/events', posted(repository, commit))
    assert.equal(body['status'], 'accepted')
    assert.equal((await runs()).length, 1)
  })

  test('starts its run though somebody posted the same before, without a signature and without what to clone', async () => {
    const { first, ids, repository, runs } = await twoHooks()
    const commit = '6'.repeat(40)
    await causes.call('POST', '/v1/git/events', posted(repository, commit))
    assert.equal((await deliver(causes, first, push(repository, commit))).status, 202)
    assert.equal((await newest(ids[0]))['result'], 'accepted')
    const started = await runs()
    assert.deepEqual(
      started.map((run) => run.clone_url !== null),
      [false, true],
    )
  })

  test('is a repetition of a posted event that a signature vouches for', async () => {
    const { first, ids, repository, runs } = await twoHooks()
    const commit = '7'.repeat(40)
    const payload = JSON.stringify(posted(repository, commit))
    const signature = `sha256=${createHmac('sha256', KEY).update(payload).digest('hex')}`
    const headers = { ...causes.admin, 'content-type': 'application/json', 'x-service-signature': signature }
    await causes.http.app.inject({ method: 'POST', url: '/v1/git/events', payload, headers })
    await deliver(causes, first, push(repository, commit))
    assert.equal((await newest(ids[0]))['result'], 'duplicate')
    assert.equal((await runs()).length, 1)
  })

  test('is another one when the branch comes back to the commit later', async () => {
    const { first, repository, runs } = await twoHooks()
    const at = (pushed: number) => ({ repository: { full_name: repository, pushed_at: pushed } })
    const [one, two] = ['4'.repeat(40), '5'.repeat(40)]
    await deliver(causes, first, push(repository, two, { before: one, ...at(1_795_255_201) }))
    await deliver(causes, first, push(repository, one, { before: two, ...at(1_795_255_202) }))
    await deliver(causes, first, push(repository, two, { before: one, ...at(1_795_255_203) }))
    assert.equal((await runs()).length, 3)
  })
})

/** `pushed_at` of the builder's repository. */
const OCCURRED = new Date(1_795_255_200 * 1000).toISOString()

describe('labels, set one after the other', () => {
  test('are as many changes', async () => {
    const { first, second, repository, runs } = await twoHooks({
      events: ['pull_request'],
      actions: ['labeled'],
      branches: [],
    })
    for (const labels of [['a'], ['a', 'b']]) {
      const payload = aPullRequestPayload({ repository: { full_name: repository }, action: 'labeled', labels })
      for (const url of [first, second]) {
        const delivery = signDelivery(payload, { secret: SECRET, event: 'pull_request', deliveryId: randomUUID() })
        assert.equal((await deliver(causes, url, delivery)).status, 202)
      }
    }
    assert.equal((await runs()).length, 2)
  })
})

describe('a comment', () => {
  test('is about the head that was seen last, not about one that came after it', async () => {
    named += 1
    const repository = { full_name: `acme/commented-${named}` }
    const trigger = { name: `c${named}`, repositories: [repository.full_name], branches: [] }
    const { url } = await aConnectedSource(
      causes,
      { name: `c${named}` },
      { ...trigger, events: ['pull_request_comment'], commands: ['/retest'], commenters: ['mona'] },
    )
    const head = '6'.repeat(40)
    const event = (kind: string, payload: unknown) =>
      deliver(causes, url, signDelivery(payload, { secret: SECRET, event: kind, deliveryId: randomUUID() }))
    const comment = (at: string) => ({
      action: 'created',
      issue: { number: 7, title: 'x', labels: [], user: { login: 'mona', id: 1 }, pull_request: { merged_at: null } },
      comment: {
        id: at.length + named,
        body: '/retest',
        user: { login: 'mona', id: 1 },
        author_association: 'NONE',
        created_at: at,
        updated_at: at,
      },
      repository: aPushPayload({ repository })['repository'],
      sender: { login: 'mona', id: 1, type: 'User' },
    })
    const unknown = await event('issue_comment', comment('2026-11-21T09:00:00Z'))
    assert.equal(unknown.status, 200, 'nothing is known of the pull request yet')
    await event('pull_request', aPullRequestPayload({ repository, head, updatedAt: '2026-11-21T10:00:00Z' }))
    const early = await event('issue_comment', comment('2026-11-21T09:59:00Z'))
    assert.equal(early.status, 200, 'the head came after the comment')
    const late = await event('issue_comment', comment('2026-11-21T10:01:00Z'))
    assert.equal(late.status, 202, late.text)
    const runs = await db.selectFrom('runs').selectAll().where('repository', '=', repository.full_name).execute()
    assert.deepEqual(
      runs.map((run) => [run.commit_sha, run.untrusted]),
      [[head, false]],
    )
  })
})
