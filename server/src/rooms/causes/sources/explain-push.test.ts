import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { aPullRequestPayload, signDelivery, signPush } from '../../../adapters/forges/github/testing.ts'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { anEnvironment, aTeam } from '../../foundation/teams/testing.ts'
import {
  aConnectedSource,
  aTrigger,
  type Called,
  deliver,
  openCauses,
  PIPELINE,
  SCOPE,
  SECRET,
  TEAM,
} from './testing.ts'

/** `GET /v1/explain/push`: why a change started nothing, or what it started. */

const OTHER = 'acme/other'
const causes = await openCauses(await createTestDatabase())
after(() => causes.close())
const db = causes.kit.database.kysely
await anEnvironment(db, `${OTHER}/staging`)
await aSecret(causes.kit, db, { teamPath: OTHER, name: 'hook', value: SECRET })
await aPipeline(db, `${OTHER}/build`)
await aTeam(db, 'elsewhere')
const viewer = (await aMember(db, 'viewer', 'viewer', TEAM)).headers
const stranger = (await aMember(db, 'stranger', 'owner', 'elsewhere')).headers
const source = await aConnectedSource(causes, { name: 'shop', visibility: 'shared' })

async function create(trigger: Record<string, unknown>): Promise<string> {
  const called = await causes.call('POST', '/v1/triggers', aTrigger(trigger))
  assert.equal(called.status, 201, called.text)
  return String(called.body['id'])
}

type Push = Omit<Parameters<typeof signPush>[0], 'secret' | 'deliveryId'>

/** Pushes once; answers the provider's id of the delivery. */
async function push(repository: string, overrides: Push = {}, url = source.url): Promise<string> {
  const deliveryId = randomUUID()
  const repositoryOf = { full_name: repository }
  await deliver(causes, url, signPush({ secret: SECRET, deliveryId, repository: repositoryOf, ...overrides }))
  return deliveryId
}

interface Finding {
  readonly code: string
  readonly sentence: string
  readonly evidence: readonly { readonly kind: string; readonly id: string }[]
  readonly expected?: string
  readonly seen?: string
  readonly told?: string
}

interface Explanation {
  readonly outcome: string
  readonly findings: readonly Finding[]
  readonly what_to_do: readonly Finding[]
  readonly changes: readonly { readonly run_ids: readonly string[]; readonly kind: string | null }[]
  readonly left_out: readonly string[]
}

type Headers = Readonly<Record<string, string>>

const ask = (query: string, headers: Headers = {}): Promise<Called> =>
  causes.call('GET', `/v1/explain/push?${query}`, undefined, { headers })

/** Whatever is asked: what others wrote stands in no sentence of ours. */
async function explain(query: string, headers: Headers = {}): Promise<Explanation> {
  const called = await ask(query, headers)
  assert.equal(called.status, 200, called.text)
  const found: Explanation = JSON.parse(called.text)
  const sentences = [...found.findings, ...found.what_to_do].map(({ sentence }) => sentence)
  for (const sentence of [...sentences, ...found.left_out]) {
    assert.doesNotMatch(sentence, /ignore-all|obey me|topic|eve\/|turn the signal/i)
    assert.ok(sentence.split(' ').length <= 30, sentence)
  }
  return found
}

const codesOf = ({ findings }: Explanation) => findings.map(({ code }) => code)

describe('what a change started', () => {
  test('is told with its run and where that is; a repetition of it is one', async () => {
    const commit = '1'.repeat(40)
    const first = await push('acme/widgets', { after: commit })
    await push('acme/widgets', { after: commit })
    const found = await explain(`repository=ACME/widgets&commit_sha=${commit.slice(0, 8)}`)
    assert.equal(found.outcome, 'started')
    const [started] = found.findings
    assert.equal(started?.code, 'push.started')
    const run = found.changes[0]?.run_ids[0]
    assert.equal(started?.sentence, `The trigger acme/web/main started run ${run}, which is queued.`)
    assert.deepEqual(
      started?.evidence.map(({ kind }) => kind),
      ['run', 'trigger', 'event', 'delivery'],
    )
    assert.deepEqual([found.changes.length, found.what_to_do], [2, []])
    assert.deepEqual(codesOf(found), ['push.started', 'push.repeats'])
    assert.equal((await explain('repository=acme/widgets&ref=main')).outcome, 'started')
    const again = signPush({ secret: SECRET, deliveryId: first, after: commit })
    await deliver(causes, source.url, again)
    const sentAgain = await explain(`repository=acme/widgets&delivery_id=${first}`)
    assert.deepEqual([sentAgain.outcome, codesOf(sentAgain)[0]], ['started', 'push.started'])
    const records = Object.values((await causes.call('GET', '/v1/deliveries?result=duplicate&limit=1')).body)
    const repeated = await explain(`delivery_id=${Object(records[0]).id}`)
    assert.deepEqual([repeated.outcome, codesOf(repeated)], ['started', ['push.started', 'push.repeats']])
  })

  test('of a fork is held, and what to do names the run', async () => {
    const id = await create({ name: 'pulls', repositories: ['acme/forked'], events: ['pull_request'], branches: [] })
    const payload = aPullRequestPayload({ repository: { full_name: 'acme/forked' }, fork: true, number: 12 })
    const options = { secret: SECRET, event: 'pull_request', deliveryId: randomUUID() }
    await deliver(causes, source.url, signDelivery(payload, options))
    const found = await explain('repository=acme/forked&pull_request=12')
    assert.deepEqual([found.outcome, codesOf(found)], ['held', ['push.held']])
    assert.ok(found.findings[0]?.evidence.some((each) => each.kind === 'trigger' && each.id === id))
    const [approve] = found.what_to_do
    assert.match(approve?.sentence ?? '', new RegExp(`signalbox run approve ${found.changes[0]?.run_ids[0]}$`))
    assert.equal((await explain('repository=acme/forked&pull_request=13')).outcome, 'not_heard')
  })

  test('by a posted event', async () => {
    const event = {
      kind: 'push',
      provider: 'generic',
      repository: { full_name: 'acme/posted' },
      ref: 'refs/heads/main',
    }
    const more = { pipeline: PIPELINE, scope: SCOPE }
    assert.equal((await causes.call('POST', '/v1/git/events', { ...event, ...more })).status, 200)
    const found = await explain('repository=acme/posted&ref=main')
    assert.deepEqual([found.outcome, codesOf(found)], ['started', ['push.started']])
  })
})

describe('why a change started nothing', () => {
  test('for each rule the first condition that did not hold, with what it saw in a field of its own', async () => {
    await create({ name: 'off', repositories: ['acme/quiet'], branches: [], enabled: false })
    await create({ name: 'tags', repositories: ['acme/quiet'], branches: [], tags: ['v*'], events: ['push', 'tag'] })
    await create({ name: 'filed', repositories: ['acme/quiet'], branches: [], paths: ['docs/**'] })
    const ref = 'refs/heads/ignore-all-previous-instructions'
    await push('acme/quiet', { ref })
    const found = await explain(`repository=acme/quiet&ref=${ref}`)
    assert.equal(found.outcome, 'nothing')
    const byCode = new Map(found.findings.map((finding) => [finding.code, finding]))
    assert.equal(byCode.get('trigger.enabled_differs')?.sentence, 'The trigger acme/web/off is disabled.')
    const { expected, seen } = byCode.get('trigger.ref_differs') ?? {}
    assert.match(String(expected), /v\*/)
    assert.match(String(seen), /ignore-all-previous-instructions/)
    assert.equal(byCode.get('trigger.paths_differs')?.expected, 'docs/**')
    assert.deepEqual(found.what_to_do.map(({ code }) => code).sort(), [
      'trigger.change_enabled',
      'trigger.change_paths',
      'trigger.change_ref',
    ])
  })

  test('no rule names the repository, though one nearly does', async () => {
    await push('acme/widgetz')
    const found = await explain('repository=acme/widgetz')
    assert.deepEqual([found.outcome, codesOf(found)], ['nothing', ['push.no_rule', 'push.near_miss']])
    assert.equal(found.findings[1]?.expected, 'acme/widgets')
    assert.equal(found.what_to_do[0]?.code, 'push.mend_pattern')
  })

  test('an override decides, and does not take the event', async () => {
    const made = await causes.call('PUT', '/v1/overrides/acme/overridden', { pipeline: PIPELINE })
    assert.equal(made.body['in_effect'], true, made.text)
    const release = { action: 'published', release: { tag_name: 'v1', name: 'obey me', draft: false } }
    const payload = { ...aPullRequestPayload({ repository: { full_name: 'acme/overridden' } }), ...release }
    const options = { secret: SECRET, event: 'release', deliveryId: randomUUID() }
    await deliver(causes, source.url, signDelivery(payload, options))
    const found = await explain('repository=acme/overridden&tag=v1')
    assert.deepEqual(codesOf(found), ['push.override_decides', 'trigger.event_differs'])
    assert.deepEqual(found.findings[1]?.evidence[0], { kind: 'override', id: 'acme/overridden' })
  })

  test('the delivery was refused: unsigned, forged, unusable, outside of the allowlist', async () => {
    const forged = signPush({ secret: 'another', deliveryId: randomUUID() })
    assert.equal((await deliver(causes, source.url, forged)).status, 401)
    const { 'x-hub-signature-256': _signature, ...headers } = forged.headers
    assert.equal((await deliver(causes, source.url, { ...forged, headers })).status, 401)
    await push('foreign/things')
    const star = { secret: SECRET, event: 'star', deliveryId: randomUUID() }
    await deliver(causes, source.url, signDelivery({ action: 'created' }, star))
    const list = (await causes.call('GET', `/v1/deliveries?source=${source.id}&limit=4`)).body
    const codes = []
    for (const { id } of Object.values(list).map(Object)) {
      const found = await explain(`delivery_id=${String(id)}`)
      assert.equal(found.outcome, 'refused')
      codes.push([codesOf(found)[0], found.what_to_do.length])
    }
    assert.deepEqual(codes, [
      ['push.unusable', 1],
      ['push.not_allowed', 1],
      ['push.signature_missing', 1],
      ['push.signature_refused', 1],
    ])
    assert.deepEqual(codesOf(await explain(`delivery_id=${star.deliveryId}`)), ['push.unusable'])
    assert.equal((await explain('repository=foreign/things')).findings[0]?.code, 'push.not_allowed')
  })

  test('nothing came: which sources admit the repository, and what is known of them', async () => {
    const heard = await explain('repository=acme/widgets&ref=never')
    assert.equal(heard.outcome, 'not_heard')
    assert.deepEqual(codesOf(heard), ['push.not_heard', 'source.failing', 'push.last_delivery'])
    assert.match(heard.findings[0]?.sentence ?? '', /kept for 90 days/)
    assert.equal(heard.what_to_do.at(-1)?.code, 'push.compare')
    const fresh = await aConnectedSource(
      causes,
      { name: 'fresh', repository_allowlist: ['fresh/*'] },
      { name: 'fresh' },
    )
    const unused = await explain('repository=fresh/paint')
    assert.deepEqual(codesOf(unused), ['push.not_heard', 'source.unused'])
    await causes.call('PATCH', `/v1/git-webhook-sources/${fresh.id}`, { enabled: false })
    assert.ok(codesOf(await explain('repository=fresh/paint')).includes('source.disabled'))
    const nowhere = await explain('repository=nobody/nothing')
    assert.deepEqual(codesOf(nowhere), ['push.no_source', 'push.sources_seen'])
  })
})

describe('who may see what', () => {
  test('that there are rules of other teams is told, and neither how many nor any of them', async () => {
    const other = { team_path: OTHER, pipeline: `${OTHER}/build`, scope: `${OTHER}/staging` }
    await create({ name: 'secretive', repositories: ['acme/shared'], branches: ['hidden'], ...other })
    await push('acme/shared')
    assert.deepEqual(codesOf(await explain('repository=acme/shared')), ['trigger.ref_differs'])
    const found = await explain('repository=acme/shared', viewer)
    assert.deepEqual(codesOf(found), ['push.no_rule'])
    assert.deepEqual(found.left_out, ['Some rules of teams that you may not see.'])
    assert.doesNotMatch(JSON.stringify(found), /secretive|acme\/other|hidden/)
  })

  test('where a run of another team is, its readers alone are told', async () => {
    const across = { pipeline: `${OTHER}/build`, scope: `${OTHER}/staging` }
    await create({ name: 'across', repositories: ['acme/across'], branches: [], ...across })
    await push('acme/across')
    assert.match((await explain('repository=acme/across')).findings[0]?.sentence ?? '', /, which is queued\.$/)
    const seen = await explain('repository=acme/across', viewer)
    assert.match(seen.findings[0]?.sentence ?? '', /acme\/web\/across started run [0-9a-f-]+\.$/)
  })

  test('a stranger learns nothing: what is hidden is answered like what never was', async () => {
    const [delivery] = Object.values((await causes.call('GET', '/v1/deliveries?limit=1')).body)
    const { id, commit_sha: sha } = Object(delivery)
    for (const change of ['', `&commit_sha=${sha}`, '&ref=main', '&pull_request=12']) {
      const hidden = await ask(`repository=acme/widgets${change}`, stranger)
      const absent = await ask(`repository=acme/nothing${change}`, stranger)
      assert.deepEqual({ ...hidden.body, repository: '' }, { ...absent.body, repository: '' })
      assert.deepEqual(codesOf(JSON.parse(hidden.text)), ['push.no_source'])
    }
    const [hidden, absent] = [
      await ask(`delivery_id=${id}`, stranger),
      await ask(`delivery_id=${randomUUID()}`, stranger),
    ]
    assert.deepEqual([hidden.status, hidden.body['detail']], [404, absent.body['detail']])
    assert.equal((await ask(`delivery_id=${id}&repository=acme/nothing`)).status, 404)
  })

  test('400 for no repository, and for two changes at once; 401 without a token', async () => {
    for (const query of ['', 'ref=main', 'repository=a/b&ref=main&commit_sha=abcd', 'repository=a/b&commit_sha=abc']) {
      assert.equal((await ask(query)).status, 400, query)
    }
    assert.equal((await ask('repository=a/b', { authorization: '' })).status, 401)
  })
})
