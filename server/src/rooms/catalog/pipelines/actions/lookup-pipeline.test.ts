import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestClock, createTestDatabase, createTestKit, until } from '#platform/testing'
import { type Pipelines, pipelines } from '#rooms/catalog/pipelines'
import { profiles } from '#rooms/catalog/profiles'
import { openFoundation } from '../../../foundation/access/testing.ts'
import { aTeam } from '../../../foundation/teams/testing.ts'
import { aProfile } from '../../profiles/testing.ts'
import { aPipeline, NOTHING_ABOVE } from '../testing.ts'
import { createPipelineLookup } from './lookup-pipeline.ts'
import type { PipelineForRun } from './resolve-pipeline.ts'

const { database } = await createTestDatabase()
const clock = createTestClock()
const kit = createTestKit(database, { clock })
const db = database.kysely
await aTeam(db, 'acme')

async function open(): Promise<Pipelines> {
  const foundation = await openFoundation(kit)
  after(() => foundation.close())
  const profiling = await profiles.open(kit, foundation)
  const parts = await pipelines.open(kit, { ...foundation, profiles: profiling.door, above: NOTHING_ABOVE })
  after(() => parts.close?.())
  return parts.door
}

describe('looking up a pipeline', () => {
  test('sees what another process changes, of pipelines and of profiles, without waiting for the age', async () => {
    const door = await open()
    assert.equal(await door.lookup('acme/seen'), undefined)
    await database.notifications.ready()
    const { id, versionId } = await aPipeline(db, 'acme/seen')
    const found = await until(
      'the new pipeline',
      () => door.lookup('acme/seen'),
      (seen) => seen !== undefined,
    )
    assert.deepEqual([found?.pipelineId, found?.versionId, found?.version], [id, versionId, 1])
    // Making it told of several changes, of which the last may come only now.
    await until(
      'the one that is held',
      async () => (await door.lookup('acme/seen')) === (await door.lookup('acme/seen')),
      (held) => held,
    )

    const profileId = await aProfile(db, 'acme/seen', { labels: ['gpu'] })
    await db.updateTable('pipelines').set({ profile_id: profileId }).where('id', '=', id).execute()
    await until(
      'its profile',
      () => door.lookup('acme/seen'),
      (seen) => seen?.requirement.labels[0] === 'gpu',
    )
    await db
      .updateTable('profiles')
      .set({ labels: ['tpu'] })
      .where('id', '=', profileId)
      .execute()
    await until(
      'its label',
      () => door.lookup('acme/seen'),
      (seen) => seen?.requirement.labels[0] === 'tpu',
    )
    await db.updateTable('pipelines').set({ deleted_at: new Date(), profile_id: null }).where('id', '=', id).execute()
    await until(
      'its end',
      () => door.lookup('acme/seen'),
      (seen) => seen === undefined,
    )
    assert.equal((await door.getGraph(db, versionId))?.steps.length, 1, 'its runs go on')
    const again = await door.resolveVersionForRun(db, versionId)
    assert.ok(again && 'versionId' in again)
  })

  test('asks once for all who ask at a time, keeps no failure, and looks again after five seconds', async () => {
    let reads = 0
    const failures = [new Error('down')]
    const quiet = {
      ...kit,
      database: { ...database, notifications: { ...database.notifications, listen: () => () => undefined } },
    }
    const lookup = createPipelineLookup(quiet, async (): Promise<PipelineForRun | undefined> => {
      reads += 1
      const failure = failures.pop()
      if (failure) throw failure
      return undefined
    })
    await assert.rejects(lookup.lookup('acme/a'), /down/)
    await Promise.all(Array.from({ length: 50 }, () => lookup.lookup('acme/a')))
    assert.equal(reads, 2)
    await clock.advance(4_999)
    await lookup.lookup('acme/a')
    assert.equal(reads, 2)
    await clock.advance(1)
    await lookup.lookup('acme/a')
    assert.equal(reads, 3)
    lookup.forget()
    await lookup.lookup('acme/a')
    assert.equal(reads, 4)
  })
})
