import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase, testCaller } from '#platform/testing'
import { aTeam } from '../../../foundation/teams/testing.ts'
import type { AbovePipelines } from '../means.ts'
import { listParents } from '../store/index.ts'
import { aPipeline, NOTHING_ABOVE } from '../testing.ts'
import { findPlaces } from './find-places.ts'

// Which places count is asked over HTTP, in limited-tokens.test.ts.

const { database } = await createTestDatabase()
const db = database.kysely
const caller = testCaller()
for (const path of ['acme/web', 'acme/ops']) await aTeam(db, path)
await aPipeline(db, 'acme/web/kid')
const documentOf = (task: string) => `name: parent\nsteps:\n  - { name: one, tasks: [{ name: a, ${task} }] }\n`
const { id } = await aPipeline(db, 'acme/ops/parent', documentOf('pipeline: acme/web/kid'))
const places = (above: AbovePipelines = NOTHING_ABOVE) => findPlaces({ above, database }, caller, 'acme/web/kid')

test('a parent that a server of an older version saved makes the places of its children unknown, and no others', async () => {
  const known = [{ team: 'acme/ops', isSeen: true }]
  assert.deepEqual(await places(), known)
  await db.deleteFrom('pipeline_children').execute()
  await db.updateTable('pipelines').set({ children_version: null }).where('id', '=', id).execute()
  assert.equal(await places(), undefined)
  assert.deepEqual(await findPlaces({ above: NOTHING_ABOVE, database }, caller, 'acme/ops/parent'), [])
  await db.updateTable('pipelines').set({ deleted_at: new Date() }).where('id', '=', id).execute()
  assert.deepEqual(await places(), [], 'a deleted one starts nothing')
  await aPipeline(db, 'acme/ops/parent', documentOf('pipeline: acme/web/kid'))
  assert.deepEqual(await places(), known)
})

test('more than is read leaves the places unknown', async () => {
  const rule = { pipeline: 'acme/web/kid', scope: 'acme/ops/test', teamPath: 'acme/ops' }
  const rules = (less: number): AbovePipelines => ({
    listStarting: async (_db, [pipeline], most) =>
      pipeline === rule.pipeline
        ? Array.from({ length: most - less }, () => ({ ...rule, permission: 'trigger.read' as const }))
        : [],
  })
  assert.equal(await places(rules(0)), undefined)
  assert.ok(await places(rules(1)))
  assert.equal(await listParents(db, ['acme/web/kid'], 1), undefined)
  assert.equal((await listParents(db, ['acme/web/kid'], 2))?.length, 1)
})
