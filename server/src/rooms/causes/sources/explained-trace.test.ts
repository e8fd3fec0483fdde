import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { signPush } from '../../../adapters/forges/github/testing.ts'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { aConnectedSource, aSource, aTrigger, type CallOptions, deliver, openCauses, SECRET, TEAM } from './testing.ts'

const PATH = '/v1/git-webhook-sources'
const OTHER = 'acme/other'
const causes = await openCauses(await createTestDatabase())
after(() => causes.close())
const db = causes.kit.database.kysely
await anEnvironment(db, `${OTHER}/staging`)
await aSecret(causes.kit, db, { teamPath: OTHER, name: 'hook', value: SECRET })
await aPipeline(db, `${OTHER}/build`)
const viewer = await aMember(db, 'viewer', 'viewer', TEAM)

const { id, url } = await aConnectedSource(causes, {}, { repositories: ['acme/first'] })
const foreign = aSource({ name: 'foreign', team_path: OTHER, credential_ref: `secret:${OTHER}/hook` })
const foreignId = String((await causes.call('POST', PATH, foreign)).body['id'])

async function create(trigger: Record<string, unknown>): Promise<void> {
  const called = await causes.call('POST', '/v1/triggers', aTrigger(trigger))
  assert.equal(called.status, 201, called.text)
}

/** The trace of a push of the repository, as somebody reads it. */
async function traceOf(repository: string, options: CallOptions = {}) {
  await deliver(
    causes,
    url,
    signPush({ secret: SECRET, deliveryId: randomUUID(), repository: { full_name: repository } }),
  )
  const newest = (await causes.call('GET', `${PATH}/${id}/deliveries?limit=1`)).body[0]
  const { body, text } = await causes.call('GET', `${PATH}/${id}/deliveries/${newest?.['id']}`, undefined, options)
  const [event] = Object(body['trace']).events
  return { event, text }
}

describe('the trace of a delivery, as a person reads it', () => {
  test('names sources beside their ids, as far as the reader may see them, and the pipeline of each trigger', async () => {
    await create({ name: 'elsewhere', repositories: ['acme/named'], source_id: foreignId })
    const source = (event: { triggers: { pipeline: string; conditions: { condition: string }[] }[] }) =>
      event.triggers[0]?.conditions.find(({ condition }) => condition === 'source')
    const { event } = await traceOf('acme/named')
    assert.equal(event.triggers[0].pipeline, 'acme/web/build')
    assert.deepEqual(source(event), {
      condition: 'source',
      expected: `foreign (${foreignId})`,
      seen: `widgets (${id})`,
      passed: false,
    })
    const seen = await traceOf('acme/named', { headers: viewer.headers })
    assert.equal(Object(source(seen.event)).expected, foreignId)
    assert.doesNotMatch(seen.text, /foreign/)
  })

  test('says what the condition of a trigger saw', async () => {
    await create({ name: 'picky', repositories: ['acme/picky'], if: 'event.branch == "next" && event.forced != true' })
    const { event } = await traceOf('acme/picky')
    const condition = event.triggers[0].conditions.at(-1)
    assert.deepEqual([condition.condition, condition.seen], ['if', 'false'])
    assert.equal(condition.note, 'event.branch is "main", event.forced is false.')
  })

  test('offers triggers that nearly name the repository, and those of hidden teams to nobody who may not see them', async () => {
    await create({ name: 'misspelt', repositories: ['acme/warehuose'] })
    await create({
      name: 'hidden',
      team_path: OTHER,
      repositories: ['acme/warehouse.git'],
      pipeline: `${OTHER}/build`,
      scope: `${OTHER}/staging`,
    })
    const { event } = await traceOf('acme/warehouse')
    const near = (found: { near_misses?: { name: string; reason: string }[] }) =>
      found.near_misses?.map(({ name, reason }) => [name, reason])
    assert.deepEqual(near(event), [
      ['misspelt', 'Did you mean acme/warehouse?'],
      ['hidden', 'Names of repositories have no .git at the end: write acme/warehouse.'],
    ])
    const seen = await traceOf('acme/warehouse', { headers: viewer.headers })
    assert.deepEqual(near(seen.event), [['misspelt', 'Did you mean acme/warehouse?']])
    assert.doesNotMatch(seen.text, /hidden|acme\/other/)
  })

  test('offers nothing where a trigger matched', async () => {
    await create({ name: 'almost', repositories: ['acme/fisrt'] })
    const { event } = await traceOf('acme/first')
    assert.equal(event.triggers[0].outcome, 'started')
    assert.equal(event.near_misses, undefined)
  })
})
