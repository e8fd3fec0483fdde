import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { SharedReadings } from '#platform/database'
import { createFairShares } from '#platform/http'
import { createTestDatabase, createTestKit, testCaller } from '#platform/testing'
import { aSnapshot } from '../../../foundation/access/testing.ts'
import type { Means } from '../means.ts'
import { NOTHING_ABOVE, openRuns } from '../testing.ts'
import { authorizeRun } from './authorize-run.ts'
import { keepEventTexts } from './keep-events.ts'

const { database } = await createTestDatabase()
const [OPEN, GUARDED, SEEN, HIDDEN] = ['acme/web/open', 'acme/web/guarded', 'acme/web/seen', 'acme/web/hidden']

const kit = createTestKit(database)
const below = await openRuns(kit)
after(() => below.close())

const means: Means = {
  ...kit,
  ...below,
  above: NOTHING_ABOVE,
  observe: () => undefined,
  eventTexts: keepEventTexts(),
  runLists: new SharedReadings(),
  statusWaits: createFairShares(10),
  access: {
    ...below.access,
    judgeScope: async (_caller, scope) => {
      if (scope === SEEN) return 'forbidden'
      return scope === HIDDEN ? 'unknown' : 'usable'
    },
    snapshot: async () => aSnapshot(),
  },
  teams: {
    ...below.teams,
    listScopes: async () => [],
    resolveScope: async (_db, scope) => ({
      teamPath: 'acme/web',
      environment: '',
      protected: scope === GUARDED,
      allowedSubjects: [],
    }),
  },
  secrets: { ...below.secrets, check: async () => undefined },
  pipelines: { ...below.pipelines, find: async () => undefined },
}

const authorize = (scope: string, untrusted = false) =>
  authorizeRun(means, database.kysely, testCaller(), {
    pipeline: { teamPath: 'acme/web', references: [], faults: [] },
    scope,
    untrusted,
  })

test('a run is for a scope that the caller may use, and of untrusted code for none that is protected', async () => {
  await authorize(OPEN)
  await authorize(GUARDED)
  await authorize(OPEN, true)
  await assert.rejects(authorize(SEEN), { code: 'forbidden' })
  await assert.rejects(authorize(HIDDEN), { code: 'run.not_startable' })
  await assert.rejects(authorize(GUARDED, true), { code: 'forbidden' })
})
