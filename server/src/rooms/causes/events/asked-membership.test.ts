import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { aPullRequestPayload, aPushPayload, signDelivery } from '../../../adapters/forges/github/testing.ts'
import { type ExpectedCall, openForgeDouble } from '../../../adapters/forges/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { aConnectedSource, deliver, openCauses, SECRET, TEAM } from '../sources/testing.ts'

const causes = await openCauses(await createTestDatabase(), { PROVIDER_HOSTS: '127.0.0.1' })
const db = causes.kit.database.kysely
after(() => causes.close())
await aSecret(causes.kit, db, { teamPath: TEAM, name: 'reader', value: 'a-read-token' })

const HEAD = 'c'.repeat(40)

interface Wish {
  /** The answers of the double to questions for the permission, in turn; null: the source has no credential. */
  readonly replies: readonly ExpectedCall['reply'][] | null
  readonly association?: string
  readonly trigger?: Readonly<Record<string, unknown>>
}

type Test = Parameters<typeof openForgeDouble>[0]

let made = 0
async function aCommentedPullRequest(t: Test, { replies, association = 'MEMBER', trigger }: Wish) {
  made += 1
  const name = `asked-${made}`
  const fullName = `acme/${name}`
  const double = await openForgeDouble(
    t,
    (replies ?? []).map((reply) => ({
      method: 'GET',
      path: `/api/v3/repos/${fullName}/collaborators/mona/permission`,
      headers: { authorization: 'Bearer a-read-token' },
      reply,
    })),
  )
  const { id, url } = await aConnectedSource(
    causes,
    {
      name,
      base_url: double.url,
      ...(replies === null ? {} : { checkout_credential_ref: `secret:${TEAM}/reader` }),
    },
    {
      name,
      repositories: [fullName],
      events: ['pull_request_comment'],
      branches: [],
      commands: ['/retest', '/cancel'],
      ...trigger,
    },
  )
  const repository = { full_name: fullName, clone_url: `${double.url}/${fullName}.git` }
  const send = (event: string, payload: object) =>
    deliver(causes, url, signDelivery(payload, { secret: SECRET, event, deliveryId: randomUUID() }))
  await send('pull_request', aPullRequestPayload({ repository, head: HEAD, updatedAt: '2026-11-21T09:00:00Z' }))
  let comments = 0
  return {
    async comment(body = '/retest') {
      comments += 1
      const mona = { login: 'mona', id: 1, type: 'User' }
      const at = `2026-11-21T10:00:0${comments}Z`
      const answer = await send('issue_comment', {
        action: 'created',
        issue: { number: 7, title: 'x', labels: [], user: mona, pull_request: { merged_at: null } },
        comment: { id: made * 100 + comments, body, user: mona, author_association: association, created_at: at },
        repository: aPushPayload({ repository })['repository'],
        sender: mona,
      })
      assert.ok(answer.status === 202 || answer.status === 200, answer.text)
      return answer
    },
    async resolve() {
      const rows = await db
        .selectFrom('trigger_events')
        .select('id')
        .where('repository', '=', fullName)
        .where('resolution', '=', 'pending')
        .execute()
      const job = causes.jobs.find(({ name: called }) => called === 'events.resolve')
      for (const row of rows) await job?.run({ eventId: row.id }, new AbortController().signal)
      return rows.length
    },
    runs: () => db.selectFrom('runs').select('id').where('repository', '=', fullName).execute(),
    async trigger() {
      const newest = (await causes.call('GET', `/v1/git-webhook-sources/${id}/deliveries?limit=1`)).body[0]
      const { body } = await causes.call('GET', `/v1/git-webhook-sources/${id}/deliveries/${newest?.['id']}`)
      const [{ triggers }] = Object(body['trace']).events
      const { outcome, conditions } = triggers[0]
      const commenter = conditions.find(({ condition }: { condition: string }) => condition === 'commenter')
      return { outcome, passed: commenter.passed, note: String(commenter.note) }
    },
  }
}

const says = (permission: string) =>
  ({ status: 200, body: { permission, role_name: permission, user: { id: 1, login: 'mona' } } }) as const

describe('the command of somebody whose delivery calls them a member', () => {
  test('starts nothing before the provider was asked, and then a run, because they may write', async (t) => {
    const pull = await aCommentedPullRequest(t, { replies: [says('write')] })
    assert.equal((await pull.comment()).status, 202)
    assert.deepEqual(await pull.runs(), [])
    assert.equal((await pull.trigger()).outcome, 'deferred')
    assert.equal(await pull.resolve(), 1)
    assert.equal((await pull.runs()).length, 1)
    const { outcome, passed, note } = await pull.trigger()
    assert.deepEqual([outcome, passed], ['started', true])
    assert.match(note, /The provider says that mona may write to acme\/asked-\d+ \(write\)/)
  })

  test('starts nothing where they may only read', async (t) => {
    const pull = await aCommentedPullRequest(t, { replies: [says('read')] })
    await pull.comment()
    await pull.resolve()
    assert.deepEqual(await pull.runs(), [])
    const { outcome, passed, note } = await pull.trigger()
    assert.deepEqual([outcome, passed], ['not_matched', false])
    assert.match(note, /mona may not write to acme\/asked-\d+ \(read\)/)
  })

  test('starts nothing where the provider refuses the credential or knows no permission', async (t) => {
    for (const [status, why] of [
      [403, /not known; that counts as no. The provider refused the credential/],
      [404, /tells the credential of the source no permission of mona/],
    ] as const) {
      const pull = await aCommentedPullRequest(t, { replies: [{ status }] })
      await pull.comment()
      await pull.resolve()
      assert.deepEqual(await pull.runs(), [])
      assert.match((await pull.trigger()).note, why)
    }
  })

  test('waits for a provider that is away, and starts nothing once it was asked often enough', async (t) => {
    const pull = await aCommentedPullRequest(t, { replies: [{ status: 503 }, { status: 503 }] })
    await pull.comment()
    await assert.rejects(pull.resolve(), /answered 503/)
    await db.updateTable('trigger_events').set({ tries: 4 }).where('resolution', '=', 'pending').execute()
    await pull.resolve()
    assert.deepEqual(await pull.runs(), [])
    assert.match((await pull.trigger()).note, /answered 503/)
  })

  test('starts nothing without a credential, and the trace says what to set', async (t) => {
    const pull = await aCommentedPullRequest(t, { replies: null })
    assert.equal((await pull.comment()).status, 200)
    assert.deepEqual(await pull.runs(), [])
    assert.match((await pull.trigger()).note, /Set checkout_credential_ref of the source/)
  })

  test('is asked about also where the delivery calls them the owner: they may be that no more', async (t) => {
    const unasked = await aCommentedPullRequest(t, { replies: null, association: 'OWNER' })
    await unasked.comment()
    assert.deepEqual(await unasked.runs(), [])
    assert.match((await unasked.trigger()).note, /Set checkout_credential_ref of the source/)
    for (const [permission, started] of [
      ['read', 0],
      ['admin', 1],
    ] as const) {
      const pull = await aCommentedPullRequest(t, { replies: [says(permission)], association: 'OWNER' })
      await pull.comment()
      await pull.resolve()
      assert.equal((await pull.runs()).length, started)
    }
  })

  test('is asked about once for several comments of a minute, also of one that cancels', async (t) => {
    const pull = await aCommentedPullRequest(t, { replies: [says('admin')] })
    await pull.comment()
    await pull.resolve()
    await pull.comment('/cancel')
    await pull.resolve()
    assert.equal((await pull.trigger()).outcome, 'canceled_runs')
  })

  test('is asked about only where everything else holds', async (t) => {
    const pull = await aCommentedPullRequest(t, { replies: [], trigger: { if: 'event.comment.body == "other"' } })
    assert.equal((await pull.comment()).status, 200)
    assert.equal(await pull.resolve(), 0)
  })
})
