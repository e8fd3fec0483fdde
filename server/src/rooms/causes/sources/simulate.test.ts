import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { signDelivery, signPush } from '../../../adapters/forges/github/testing.ts'
import { aDocument, aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { aConnectedSource, aTrigger, deliver, openCauses, SECRET, TEAM } from './testing.ts'

const PATH = '/v1/triggers/simulate'
const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
after(() => causes.close())
const db = testDatabase.database.kysely
await aTeam(db, 'acme/other')
const editor = await aMember(db, 'editor', 'editor', TEAM)
const viewer = await aMember(db, 'viewer', 'viewer', TEAM)
const stranger = await aMember(db, 'stranger', 'owner', 'acme/other')

const source = await aConnectedSource(causes, { name: 'widgets' }, { name: 'stored', branches: ['none'] })
const other = await aConnectedSource(causes, { name: 'gadgets' }, { name: 'other', branches: ['none'] })

async function push(url: string, overrides: { ref?: string; repository?: { full_name: string } } = {}): Promise<void> {
  const sent = await deliver(causes, url, signPush({ secret: SECRET, deliveryId: randomUUID(), ...overrides }))
  assert.equal(sent.status, 200, sent.text)
}
await push(source.url, { ref: 'refs/heads/main' })
await push(source.url, { ref: 'refs/heads/topic' })
await push(other.url, { ref: 'refs/heads/main' })
await push(source.url, { repository: { full_name: 'acme/gadgets' } })

interface Seen {
  readonly source_id: string
  readonly ref: string
  readonly repository: string
  readonly matched: boolean
  readonly trace: { readonly first_failed: string | null; readonly outcome: string; readonly reason: string | null }
}

async function simulate(body: Record<string, unknown>, headers = editor.headers) {
  const { status, body: answer, text } = await causes.call('POST', PATH, body, { headers })
  const results: readonly Seen[] = Array.isArray(answer['results']) ? answer['results'] : []
  return { status, text, considered: answer['deliveries_considered'], results, errors: answer['errors'] }
}

function told(results: readonly Seen[]): string[] {
  return results.map(({ ref, repository, matched, trace }) =>
    [repository, ref, matched, trace.outcome, trace.first_failed].join(' '),
  )
}

describe('simulating a trigger', () => {
  test('says for each kept delivery of its repositories what it would have done, newest first', async () => {
    const { status, considered, results, text } = await simulate({ trigger: aTrigger({ name: 'draft' }) })
    assert.equal(status, 200, text)
    assert.equal(considered, 3)
    assert.deepEqual(told(results), [
      'acme/widgets refs/heads/main true started ',
      'acme/widgets refs/heads/topic false not_matched ref',
      'acme/widgets refs/heads/main true started ',
    ])
    assert.deepEqual(
      results.map(({ source_id }) => source_id),
      [other.id, source.id, source.id],
    )
  })

  test('stores nothing', async () => {
    const count = async () => (await db.selectFrom('triggers').select('id').execute()).length
    const before = await count()
    const audited = await db.selectFrom('audit_records').select('id').execute()
    await simulate({ trigger: aTrigger({ name: 'draft' }) })
    assert.equal(await count(), before)
    assert.equal((await db.selectFrom('audit_records').select('id').execute()).length, audited.length)
  })

  test('starts nothing where the whole list of changed files decides, which the source reads', async () => {
    const commits = [{ id: 'b'.repeat(40), message: 'x', added: [], modified: ['docs/a.md'], removed: [] }]
    const trigger = aTrigger({ name: 'paths', repositories: ['acme/listed'], paths: ['src/**'], branches: [] })
    const reading = { name: 'reading', read_repository: true, base_url: 'https://github.com' }
    for (const [more, expected] of [
      [reading, 'deferred'],
      [{ name: 'telling' }, 'started'],
    ] as const) {
      const { id, url } = await aConnectedSource(causes, more, { name: more.name, repositories: ['acme/none'] })
      const signed = { repository: { full_name: 'acme/listed' }, forced: true, commits, deliveryId: randomUUID() }
      await deliver(causes, url, signPush({ secret: SECRET, ...signed }))
      const { results } = await simulate({ trigger, source_id: id })
      assert.deepEqual(told(results), [`acme/listed refs/heads/main true ${expected} `])
      assert.equal(results[0]?.trace.reason === null, expected === 'started')
    }
  })

  test('looks at one source, at that of the trigger, and at no more than asked', async () => {
    assert.equal((await simulate({ trigger: aTrigger(), source_id: other.id })).results.length, 1)
    assert.equal((await simulate({ trigger: aTrigger({ source_id: source.id }) })).results.length, 2)
    assert.equal((await simulate({ trigger: aTrigger(), limit: 1 })).results.length, 1)
    const crossed = await simulate({ trigger: aTrigger({ source_id: source.id }), source_id: other.id })
    assert.deepEqual(told(crossed.results), ['acme/widgets refs/heads/main false not_matched source'])
  })

  test('says what could not be started though it matched', async () => {
    const variables = { A: '${{ event.pull_request.title }}' }
    await aPipeline(db, 'acme/web/lettered', aDocument('lettered', 'variables: { A: none }\n'))
    const pipeline = 'acme/web/lettered'
    const { results } = await simulate({ trigger: aTrigger({ variables, pipeline, branches: ['topic'] }) })
    assert.equal(results[1]?.trace.outcome, 'refused')
    assert.match(results[1]?.trace.reason ?? '', /^The variable A cannot be made/)
  })

  test('a comment that cancels is told as that', async () => {
    const payload = {
      action: 'created',
      issue: { number: 3, title: 't', pull_request: {}, user: { login: 'mona', id: 1 }, labels: [] },
      comment: { id: 5, body: '/cancel', user: { login: 'mona', id: 1 }, author_association: 'OWNER' },
      repository: { id: 1, name: 'widgets', full_name: 'acme/widgets', owner: { login: 'acme' }, private: true },
      sender: { login: 'mona', id: 1 },
    }
    const sent = await deliver(
      causes,
      other.url,
      signDelivery(payload, { secret: SECRET, event: 'issue_comment', deliveryId: randomUUID() }),
    )
    assert.ok(sent.status < 400, sent.text)
    const asks = { events: ['pull_request_comment'], commands: ['/cancel'], commenters: ['mona'] }
    const trigger = aTrigger({ ...asks, branches: [] })
    const { results } = await simulate({ trigger, source_id: other.id, limit: 1 })
    assert.deepEqual([results[0]?.matched, results[0]?.trace.outcome], [true, 'canceled_runs'])
  })

  test('is for those who might create the trigger, and says what is wrong with it', async () => {
    assert.equal((await simulate({ trigger: aTrigger() }, { authorization: '' })).status, 401)
    assert.equal((await simulate({ trigger: aTrigger() }, viewer.headers)).status, 403)
    assert.equal((await simulate({ trigger: aTrigger() }, stranger.headers)).status, 403)
    const wrong = await simulate({ trigger: aTrigger({ branches: ['[a'], pipeline: 'acme/web/none' }) })
    assert.equal(wrong.status, 400)
    assert.deepEqual(
      Object(wrong.errors).map(({ field }: { field: string }) => field),
      ['trigger.branches.0', 'trigger.pipeline'],
    )
    for (const body of [{}, { trigger: aTrigger(), limit: 201 }, { trigger: aTrigger(), source_id: randomUUID() }]) {
      assert.equal((await simulate(body)).status, 400)
    }
  })

  test('shows only what the caller may read', async () => {
    await aSecret(causes.kit, db, { teamPath: 'acme/other', name: 'hook', value: SECRET })
    const elsewhere = await aConnectedSource(
      causes,
      { name: 'hidden', team_path: 'acme/other', credential_ref: 'secret:acme/other/hook' },
      { name: 'hidden', branches: ['none'] },
    )
    await push(elsewhere.url, { ref: 'refs/heads/main' })
    const seen = (await simulate({ trigger: aTrigger() })).results.map(({ source_id }) => source_id)
    assert.ok(!seen.includes(elsewhere.id))
    const all = (await simulate({ trigger: aTrigger() }, causes.admin)).results.map(({ source_id }) => source_id)
    assert.ok(all.includes(elsewhere.id))
  })
})
