import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestDatabase, until } from '#platform/testing'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aConnectedSource, openCauses, SCOPE } from '../sources/testing.ts'

/** Who asks what an event would start must be told what an event really does. */

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
    const why = 'The pipeline acme/web/passing does not exist or cannot run.'
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
})
