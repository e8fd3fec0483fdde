import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { createTestDatabase } from '#platform/testing'
import { aChange, aPushPayload, signDelivery } from '../../../adapters/forges/bitbucket/testing.ts'
import { aSource, aTrigger, deliver, openCauses, SECRET } from '../sources/testing.ts'

/** Tellings about a ref that mean one change, and tellings of several changes that look the same. */

const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
after(() => causes.close())
const db = testDatabase.database.kysely

let named = 0

async function twoHooks() {
  named += 1
  const urls: string[] = []
  for (const hook of ['one', 'two']) {
    const source = aSource({ name: `${hook}-${named}`, provider: 'generic' })
    const created = await causes.call('POST', '/v1/git-webhook-sources', source)
    assert.equal(created.status, 201, created.text)
    urls.push(`/v1/git/webhooks/${String(created.body['id'])}`)
  }
  const repository = `acme/refs-${named}`
  const trigger = aTrigger({ name: `t${named}`, repositories: [repository], events: ['push', 'tag'], branches: [] })
  const written = await causes.call('POST', '/v1/triggers', trigger)
  assert.equal(written.status, 201, written.text)
  const triggerId = String(written.body['id'])
  const runs = async () => {
    const rows = await db
      .selectFrom('runs')
      .select('commit_sha')
      .where('trigger_id', '=', triggerId)
      .orderBy('id')
      .execute()
    return rows.map((run) => run.commit_sha?.slice(0, 1))
  }
  const [first = '', second = ''] = urls
  return { first, second, repository, runs }
}

interface Change {
  readonly before: string | null
  readonly after: string | null
  readonly at?: string | null
}

interface TellingOptions {
  readonly ref?: string
  readonly place?: Readonly<Record<string, unknown>>
}

async function tell(
  url: string,
  repository: string,
  change: Change,
  { ref = 'refs/tags/v1', place }: TellingOptions = {},
) {
  const whole = (sha: string | null) => (sha === null ? null : sha.repeat(40))
  const kinds = ref.startsWith('refs/tags/') ? ['tag', 'tag_deleted'] : ['push', 'branch_deleted']
  const [kind, gone] = kinds
  const body = Buffer.from(
    JSON.stringify({
      kind: change.after === null ? gone : kind,
      action: change.after === null ? 'deleted' : change.before === null ? 'created' : 'updated',
      provider: 'generic',
      repository: { full_name: repository, ...place },
      ref,
      before: whole(change.before),
      after: whole(change.after),
      occurred_at: change.at ?? null,
      delivery_id: randomUUID(),
    }),
  )
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  const answer = await deliver(causes, url, { headers, body })
  assert.ok(answer.status === 200 || answer.status === 202, answer.text)
}

const MADE: Change = { before: null, after: 'a' }
const GONE: Change = { before: 'a', after: null }

describe('a tag that is made, removed and made again within minutes, told without times', () => {
  test('is two changes, each of one run, though two hooks tell of them', async () => {
    const { first, second, repository, runs } = await twoHooks()
    for (const change of [MADE, GONE, MADE]) {
      await tell(first, repository, change)
      await tell(second, repository, change)
    }
    assert.deepEqual(await runs(), ['a', 'a'])
  })

  test('is as many when one hook is far behind the other, and says things twice', async () => {
    const { first, second, repository, runs } = await twoHooks()
    for (const url of [first, second]) {
      for (const change of [MADE, MADE, GONE, GONE, MADE, MADE]) await tell(url, repository, change)
    }
    assert.deepEqual(await runs(), ['a', 'a'])
  })

  test('is as many when one delivery of Bitbucket tells of all', async () => {
    const { repository, runs } = await twoHooks()
    const source = aSource({ name: `bitbucket-${named}`, provider: 'bitbucket' })
    const created = await causes.call('POST', '/v1/git-webhook-sources', source)
    const made = aChange({ type: 'tag', name: 'v1', before: null, after: 'a'.repeat(40) })
    const gone = aChange({ type: 'tag', name: 'v1', before: 'a'.repeat(40), after: null })
    const payload = aPushPayload({ fullName: repository, changes: [made, gone, made] })
    const url = `/v1/git/webhooks/${String(created.body['id'])}`
    for (const deliveryId of [randomUUID(), randomUUID()]) {
      const answer = await deliver(causes, url, signDelivery(payload, { secret: SECRET, deliveryId }))
      assert.equal(answer.status, 202, answer.text)
      payload['push'] = { changes: [made] }
    }
    assert.deepEqual(await runs(), ['a', 'a'])
  })

  test('does not make another ref come back', async () => {
    const { first, repository, runs } = await twoHooks()
    await tell(first, repository, MADE)
    await tell(first, repository, GONE, { ref: 'refs/tags/v2' })
    await tell(first, repository, MADE)
    assert.deepEqual(await runs(), ['a'])
  })
})

test('approvals that nobody says the time of are told apart by whose they are, and by what lies between', async () => {
  const { first, second, repository } = await twoHooks()
  const trigger = aTrigger({
    name: `reviews-${named}`,
    repositories: [repository],
    events: ['pull_request_review'],
    branches: [],
    commenters: ['mona', 'ada'],
  })
  assert.equal((await causes.call('POST', '/v1/triggers', trigger)).status, 201)
  const review = async (url: string, action: string, login: string) => {
    const body = Buffer.from(
      JSON.stringify({
        kind: 'pull_request_review',
        action,
        provider: 'generic',
        repository: { full_name: repository },
        ref: 'refs/merge-requests/7/head',
        branch: 'main',
        after: 'b'.repeat(40),
        pull_request: {
          number: 7,
          title: 'Green',
          draft: false,
          labels: [],
          merged: false,
          author: null,
          web_url: null,
          head: { ref: 'green', sha: 'b'.repeat(40), repository },
          base: { ref: 'main', sha: null, repository },
          from_fork: false,
        },
        comment: {
          id: null,
          body: '',
          author: { id: null, login, name: null, email: null, bot: null },
          author_is_member: null,
          path: null,
          web_url: null,
        },
        delivery_id: randomUUID(),
      }),
    )
    const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
    const answer = await deliver(causes, url, { headers, body })
    assert.ok(answer.status === 200 || answer.status === 202, answer.text)
  }
  for (const [action, login] of [
    ['approved', 'mona'],
    ['approved', 'ada'],
    ['dismissed', 'mona'],
    ['approved', 'mona'],
  ] as const) {
    await review(first, action, login)
    await review(second, action, login)
  }
  const runs = await db.selectFrom('runs').select('id').where('repository', '=', repository).execute()
  assert.equal(runs.length, 3)
})

test('a branch that is pushed forth, back and forth again within minutes is three changes', async () => {
  const { first, repository, runs } = await twoHooks()
  const ref = 'refs/heads/main'
  for (const [before, next] of [
    ['a', 'b'],
    ['b', 'a'],
    ['a', 'b'],
  ] as const) {
    await tell(first, repository, { before, after: next }, { ref })
  }
  assert.deepEqual(await runs(), ['b', 'a', 'b'])
})

/** The history of one ref: each entry sets it to a commit or removes it. */
const history = fc
  .array(fc.constantFrom('a', 'b', null), { minLength: 1, maxLength: 6 })
  .map((states) => states.filter((state, at) => state !== (states[at - 1] ?? null)))
  .map((states) => states.map((state, at): Change => ({ before: states[at - 1] ?? null, after: state })))

/** The hook that tells next, and the number of times that it says the same. */
const turns = fc.array(fc.record({ hook: fc.constantFrom(0, 1), times: fc.constantFrom(1, 1, 2) }), { maxLength: 24 })

describe('any history of a ref', () => {
  test('told without times, in order by each of two hooks, starts one run for each change that leaves a commit', async () => {
    await fc.assert(
      fc.asyncProperty(history, turns, async (changes, order) => {
        const { first, second, repository, runs } = await twoHooks()
        const left = [[...changes], [...changes]]
        const rest = [0, 1].flatMap((hook) => changes.map(() => ({ hook, times: 1 })))
        for (const { hook, times } of [...order, ...rest]) {
          const change = left[hook]?.shift()
          const tellings = change === undefined ? [] : Array.from({ length: times }, () => change)
          for (const told of tellings) await tell([first, second][hook] ?? '', repository, told)
        }
        const expected = changes.flatMap(({ after: commit }) => commit ?? [])
        assert.deepEqual(await runs(), expected)
      }),
      { numRuns: 30 },
    )
  })

  test('told with times starts one run for each, in whatever order and however often', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.infiniteStream(fc.nat()), async (changes, chance) => {
        const { first, second, repository, runs } = await twoHooks()
        const timed = changes.map((change, at) => ({ ...change, at: `2026-11-21T10:0${at}:00.000Z` }))
        const tellings = [first, second, first].flatMap((url) => timed.map((change) => ({ url, change })))
        const shuffled = tellings.map((telling) => [chance.next().value, telling] as const)
        for (const [, { url, change }] of shuffled.toSorted(([one], [other]) => one - other)) {
          await tell(url, repository, change)
        }
        const expected = changes.flatMap(({ after: commit }) => commit ?? [])
        assert.deepEqual((await runs()).toSorted(), expected.toSorted())
      }),
      { numRuns: 20 },
    )
  })

  test('told without times and out of order starts each commit, and none more often than it was told', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.infiniteStream(fc.nat()), async (changes, chance) => {
        const { first, repository, runs } = await twoHooks()
        const shuffled = changes.map((change) => [chance.next().value, change] as const)
        for (const [, change] of shuffled.toSorted(([one], [other]) => one - other))
          await tell(first, repository, change)
        const started = await runs()
        const told = changes.flatMap(({ after: commit }) => commit ?? [])
        assert.deepEqual(new Set(started), new Set(told))
        assert.ok(started.length <= told.length)
      }),
      { numRuns: 20 },
    )
  })
})

describe('two mirrors with equal names and commits', () => {
  const push: Change = { before: 'a', after: 'b' }
  const ref = 'refs/heads/main'
  const onGitea = { id: '1', web_url: 'https://gitea.example.com/acme/refs' }

  for (const [what, other] of [
    ['on two hosts', { id: '1', web_url: 'https://gitlab.example.com/acme/refs' }],
    ['one after the other at one address', { id: '2', web_url: onGitea.web_url }],
    ['of which only the clone address differs', { clone_url: 'https://gitlab.example.com/acme/refs.git' }],
  ] as const) {
    test(`${what} have a run each, however often each is told of, with times and without`, async () => {
      for (const at of [null, '2026-11-21T10:00:00.000Z']) {
        const { first, second, repository, runs } = await twoHooks()
        for (let turn = 0; turn < 3; turn += 1) {
          await tell(first, repository, { ...push, at }, { ref, place: onGitea })
          await tell(second, repository, { ...push, at }, { ref, place: other })
        }
        assert.deepEqual(await runs(), ['b', 'b'])
      }
    })
  }

  test('one repository is the same whether its address is for people or for Git, and where nothing says which', async () => {
    const { first, second, repository, runs } = await twoHooks()
    await tell(first, repository, push, { ref, place: onGitea })
    await tell(second, repository, push, { ref, place: { clone_url: 'ssh://git@gitea.example.com/Acme/refs.git' } })
    await tell(second, repository, push, { ref })
    assert.deepEqual(await runs(), ['b'])
  })
})
