import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { Tx } from '#platform/database'
import { createTestDatabase } from '#platform/testing'
import { aPipeline } from '../../../catalog/pipelines/testing.ts'
import { anEnvironment } from '../../../foundation/teams/testing.ts'
import { listLanes, lockQueued } from '../store/claims.ts'
import { aRun } from '../testing.ts'
import { claimTurns } from './claim-turns.ts'

const { database } = await createTestDatabase()
const db = database.kysely

const SCOPE = 'acme/web/production'
let pipeline: Awaited<ReturnType<typeof aPipeline>>

before(async () => {
  await anEnvironment(db, SCOPE)
  pipeline = await aPipeline(db, 'acme/web/build')
})
beforeEach(async () => {
  await db.deleteFrom('runs').execute()
})

/** So many runs of each team in one lane; all first ones are older than all second ones. */
async function queued(teams: readonly string[], each: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let at = 0; at < each; at++) {
    for (const teamPath of teams) ids.push(await aRun(db, pipeline, { teamPath, scope: SCOPE }))
  }
  return ids
}

async function claim(tx: Tx, limit: number) {
  const { queued: lanes } = await listLanes(db)
  const { rows, fullLanes } = await claimTurns(tx, { lanes, limit, only: undefined, except: [] })
  return { ids: rows.map(({ id }) => id), more: fullLanes.size > 0 }
}

/** One dispatcher after the other claims while those before have not ended. */
async function claimAtOnce(...limits: readonly number[]): Promise<readonly (readonly string[])[]> {
  const claimed: (readonly string[])[] = []
  const rest = async ([limit, ...others]: readonly number[]): Promise<void> => {
    if (limit === undefined) return
    await database.transaction(async (tx) => {
      claimed.push((await claim(tx, limit)).ids)
      await rest(others)
    })
  }
  await rest(limits)
  return claimed
}

const TEAMS = Array.from({ length: 40 }, (_, at) => `team${at + 10}/web`)

describe('dispatchers that claim at once', () => {
  test('go on in the order of turns, one behind the other, however many teams there are', async () => {
    const ids = await queued(TEAMS, 3)
    assert.deepEqual(await claimAtOnce(1, 2, 3), [ids.slice(0, 1), ids.slice(1, 3), ids.slice(3, 6)])
  })

  test('find enough also where others hold all that stands first', async () => {
    for (const teams of [['acme/web'], ['acme/web', 'beta/web']]) {
      await db.deleteFrom('runs').execute()
      const ids = await queued(teams, 20)
      assert.deepEqual(await claimAtOnce(15, 2), [ids.slice(0, 15), ids.slice(15, 17)])
    }
  })

  test('pass over what has left the queue since they looked', async () => {
    const [first = '', second = '', third = ''] = await queued(['acme/web'], 3)
    await db.updateTable('runs').set({ status: 'canceled', finished_at: new Date() }).where('id', '=', first).execute()
    const rows = await database.transaction((tx) => lockQueued(tx, [[first, second, third]], 1))
    assert.deepEqual(
      rows.map(({ id }) => id),
      [second],
    )
  })

  test('know that there may be more where others hold some of it', async () => {
    await queued(['acme/web', 'beta/web'], 1)
    await database.transaction(async (tx) => {
      assert.equal((await claim(tx, 2)).more, false)
      assert.deepEqual(await database.transaction((other) => claim(other, 1)), { ids: [], more: true })
    })
  })
})

test('lanes that one team has for itself take turns with those that are shared', async () => {
  const other = 'acme/web/staging'
  const first = await aRun(db, pipeline, { teamPath: 'acme/web', scope: other })
  const second = await aRun(db, pipeline, { teamPath: 'beta/web', scope: SCOPE })
  const third = await aRun(db, pipeline, { teamPath: 'acme/web', scope: SCOPE })
  const { ids } = await database.transaction((tx) => claim(tx, 3))
  assert.deepEqual(ids, [first, second, third])
})

test('one round locks no more than it could begin', async () => {
  await queued(TEAMS, 2)
  await database.transaction(async (tx) => {
    await claim(tx, 3)
    const free = await db.selectFrom('runs').select('id').forUpdate().skipLocked().execute()
    assert.equal(free.length, 2 * TEAMS.length - 3)
  })
})
