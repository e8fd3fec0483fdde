import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase, testCaller } from '#platform/testing'
import { aSnapshot } from '../../../foundation/access/testing.ts'
import { type AuthorizeNeeds, authorizeRun } from './authorize-run.ts'

const { database } = await createTestDatabase()
const [OPEN, GUARDED, SEEN, HIDDEN] = ['acme/web/open', 'acme/web/guarded', 'acme/web/seen', 'acme/web/hidden']

const needs: AuthorizeNeeds = {
  access: {
    judgeScope: async (_caller, scope) => {
      if (scope === SEEN) return 'forbidden'
      return scope === HIDDEN ? 'unknown' : 'usable'
    },
    snapshot: async () => aSnapshot(),
  },
  teams: {
    listScopes: async () => [],
    resolveScope: async (_db, scope) => ({
      teamPath: 'acme/web',
      environment: '',
      protected: scope === GUARDED,
      allowedSubjects: [],
    }),
  },
  secrets: { check: async () => undefined },
  pipelines: { find: async () => undefined },
}

const authorize = (scope: string, untrusted = false) =>
  authorizeRun(
    needs,
    database.kysely,
    testCaller(),
    { teamPath: 'acme/web', references: [], faults: [] },
    scope,
    untrusted,
  )

test('a run is for a scope that the caller may use, and of untrusted code for none that is protected', async () => {
  await authorize(OPEN)
  await authorize(GUARDED)
  await authorize(OPEN, true)
  await assert.rejects(authorize(SEEN), { code: 'forbidden' })
  await assert.rejects(authorize(HIDDEN), { code: 'run.not_startable' })
  await assert.rejects(authorize(GUARDED, true), { code: 'forbidden' })
})
