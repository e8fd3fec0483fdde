import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestDatabase, until } from '#platform/testing'
import { aPushPayload, signDelivery } from '../../../adapters/forges/github/testing.ts'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import {
  aConnectedSource,
  aSource,
  aTrigger,
  deliver,
  openCauses,
  PIPELINE,
  SCOPE,
  SECRET,
} from '../sources/testing.ts'

/** The preview of an event must agree with what the event really starts. */

const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
after(() => causes.close())
const db = testDatabase.database.kysely

async function resolution(repository: string, query: string) {
  const { status, body, text } = await causes.call('GET', `/v1/overrides/${repository}/resolution${query}`)
  assert.equal(status, 200, text)
  return body
}

async function runsOf(repository: string, query = '?ref=main') {
  const runs: unknown = (await resolution(repository, query))['runs']
  assert.ok(Array.isArray(runs))
  return runs.map((run) => [Object(run)['layer'], Object(run)['would_start'], Object(run)['reason']])
}

describe('what an event would start', () => {
  test('is nothing where the pipeline of the override or of the trigger is gone, with the reason', async () => {
    const { id } = await aPipeline(db, 'acme/web/passing')
    const trigger = { repositories: ['acme/gone'], pipeline: 'acme/web/passing', scope: SCOPE, branches: [] }
    await aConnectedSource(causes, {}, trigger)
    assert.deepEqual(await runsOf('acme/gone'), [['service_trigger', true, null]])
    const override = { pipeline: 'acme/web/passing', scope: SCOPE }
    assert.equal((await causes.call('PUT', '/v1/overrides/acme/gone', override)).status, 200)
    assert.deepEqual(await runsOf('acme/gone'), [['override', true, null]])
    await db.updateTable('pipelines').set({ deleted_at: new Date() }).where('id', '=', id).execute()
    await until(
      'the word that it is gone',
      () => runsOf('acme/gone'),
      ([run]) => run?.[1] === false,
    )
    const why = 'The pipeline acme/web/passing does not exist or cannot run, or root may not see it.'
    assert.deepEqual(await runsOf('acme/gone'), [['override', false, why]])
    assert.equal((await causes.call('DELETE', '/v1/overrides/acme/gone')).status, 204)
    assert.deepEqual(await runsOf('acme/gone'), [['service_trigger', false, why]])
  })

  test('for a pull request is that of one from the repository itself', async () => {
    const trigger = { name: 'pulls', repositories: ['acme/pulled'], events: ['pull_request', 'pull_request_comment'] }
    await aConnectedSource(causes, { name: 'pulling' }, trigger)
    for (const event of ['pull_request', 'pull_request_comment']) {
      assert.deepEqual(await runsOf('acme/pulled', `?ref=main&event=${event}`), [['service_trigger', true, null]])
    }
  })

  test('of a short name is about the tag where the event is', async () => {
    const trigger = {
      name: 'tags',
      repositories: ['acme/tagged'],
      events: ['tag', 'release'],
      branches: [],
      tags: ['v*'],
    }
    await aConnectedSource(causes, { name: 'tagging' }, trigger)
    for (const query of ['?ref=v1&event=tag', '?ref=v1&event=release', '?ref=refs/tags/v1']) {
      assert.deepEqual(await runsOf('acme/tagged', query), [['service_trigger', true, null]], query)
    }
    assert.equal((await resolution('acme/tagged', '?ref=refs/tags/v1'))['event'], 'tag')
  })

  test('is what comes through any of its sources, whichever told last; one that is disabled tells of nothing', async () => {
    const repository = { full_name: 'acme/twice' }
    const trigger = { repositories: ['acme/twice'], branches: [] }
    const first = await aConnectedSource(causes, { name: 'first' }, { ...trigger, name: 'of-first' })
    const second = await causes.call('POST', '/v1/git-webhook-sources', aSource({ name: 'second' }))
    assert.equal(second.status, 201, second.text)
    const url = `/v1/git/webhooks/${String(second.body['id'])}`
    const push = signDelivery(aPushPayload({ repository }), { secret: SECRET, deliveryId: randomUUID() })
    assert.equal((await deliver(causes, url, push)).status, 200)
    assert.deepEqual(await runsOf('acme/twice'), [['service_trigger', true, null]])
    // A trigger that names no source matches through both, and is one rule.
    const unbound = await causes.call('POST', '/v1/triggers', aTrigger({ ...trigger, name: 'of-any' }))
    assert.equal(unbound.status, 201, unbound.text)
    const names = async () => {
      const { runs }: { runs: { name: string }[] } = JSON.parse(
        JSON.stringify(await resolution('acme/twice', '?ref=main')),
      )
      return runs.map(({ name }) => name)
    }
    assert.deepEqual((await names()).toSorted(), ['of-any', 'of-first'])
    await db.updateTable('webhook_sources').set({ enabled: false }).where('id', '=', first.id).execute()
    assert.deepEqual(await names(), ['of-any'])
  })
})

test('names no trigger and no override to who may not see them, and answers nobody who may see no override', async () => {
  const trigger = aTrigger({ name: 'unseen', repositories: ['acme/unseen'], branches: [] })
  assert.equal((await causes.call('POST', '/v1/triggers', trigger)).status, 201)
  await aTeam(db, 'acme/other')
  const stranger = await aMember(db, 'stranger', 'viewer', 'acme/other')
  const ask = (headers: Record<string, string>) =>
    causes.call('GET', '/v1/overrides/acme/unseen/resolution?ref=main', undefined, { headers })
  const layersFor = async (headers: Record<string, string>) =>
    Object.values(Object((await ask(headers)).body['runs'])).map((run) => Object(run)['layer'])
  assert.deepEqual([await layersFor(causes.admin), await layersFor(stranger.headers)], [['service_trigger'], []])
  const override = { pipeline: PIPELINE, scope: SCOPE }
  assert.equal((await causes.call('PUT', '/v1/overrides/acme/unseen', override)).status, 200)
  assert.deepEqual([await layersFor(causes.admin), await layersFor(stranger.headers)], [['override'], []])
  await db.deleteFrom('grants').where('user_id', '=', stranger.id).execute()
  const refused = await until(
    'the end of the right',
    () => ask(stranger.headers),
    ({ status }) => status !== 200,
  )
  assert.deepEqual([refused.status, refused.body['code']], [403, 'forbidden'])
})

test('an override that starts nothing for a kind of event says so wherever it outranks a trigger', async () => {
  const { id, url } = await aConnectedSource(
    causes,
    { name: 'releasing' },
    { name: 'releases', repositories: ['acme/released'], events: ['release'], branches: [] },
  )
  const override = { pipeline: PIPELINE, scope: SCOPE }
  assert.equal((await causes.call('PUT', '/v1/overrides/acme/released', override)).status, 200)
  const payload = {
    action: 'published',
    release: { id: 1, tag_name: 'v1', name: 'v1', draft: false, prerelease: false, html_url: 'https://github.com/x' },
    repository: aPushPayload({ repository: { full_name: 'acme/released' } })['repository'],
    sender: { login: 'mona', id: 1, type: 'User' },
  }
  const signed = signDelivery(payload, { secret: SECRET, event: 'release', deliveryId: 'r-1' })
  assert.equal((await deliver(causes, url, signed)).status, 200)
  const list = await causes.call('GET', `/v1/git-webhook-sources/${id}/deliveries`)
  const [record] = Object.values(list.body)
  assert.match(String(Object(record)['reason']), /^An override outranks the triggers and starts nothing for this event/)
  const { body } = await causes.call('GET', `/v1/git-webhook-sources/${id}/deliveries/${String(Object(record)['id'])}`)
  const nothing = 'An override starts nothing for release published.'
  assert.deepEqual(
    Object(body['trace']).events[0].triggers.map((one: Record<string, unknown>) => [one['outcome'], one['reason']]),
    [
      // The override first: it says what becomes of all the others.
      ['not_matched', nothing],
      ['outranked', `The repository has an override, which outranks this. ${nothing}`],
    ],
  )
  assert.deepEqual(await runsOf('acme/released', '?ref=v1&event=release'), [['override', false, nothing]])
})
