import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestDatabase, testCaller } from '#platform/testing'
import { aGraph, aStep } from '../../../../../pipeline/src/status/testing/index.ts'
import { findChildRefusal, findProtection, findRefusal } from './actions/find-refusal.ts'
import type { Means } from './means.ts'
import { openExecution } from './testing/index.ts'

// Registered before the database's own: hooks run in that order.
after(async () => await house.stop())
const { database } = await createTestDatabase()
const house = await openExecution(database, { dispatches: false })
const db = database.kysely
const GUARDED = 'acme/web/guarded'
const OPEN = 'acme/web/open'

const run = {
  initiator: { kind: 'user', id: 'ada', name: 'ada' },
  teamPath: 'acme/web',
  scope: OPEN,
  untrusted: false,
  graph: aGraph(aStep('one')),
} as const

type Wanted = Parameters<Means['runs']['findFaults']>[2]

/** Everything is allowed, unless a test says otherwise. */
function meansOf(grants: Record<string, string[]> = { '/': ['*'] }, change: Partial<Means> = {}) {
  const asked: Wanted[] = []
  const means: Means = {
    ...house.means,
    access: { ...house.means.access, subject: async () => testCaller(grants), canUseScope: async () => true },
    teams: {
      ...house.means.teams,
      resolveScope: async (_db, scope) => {
        if (scope === GUARDED || scope === OPEN)
          return { teamPath: 'acme/web', environment: '', protected: scope === GUARDED, allowedSubjects: [] }
        return undefined
      },
    },
    pipelines: {
      ...house.means.pipelines,
      referencesOf: () => [{ kind: 'secret', target: 'acme/web/npm', directive: 'secrets.NPM' }],
    },
    runs: {
      ...house.means.runs,
      findFaults: async (_db, _caller, wanted) => {
        asked.push(wanted)
        return []
      },
    },
    ...change,
  }
  return { means, asked }
}

describe('a run that begins is asked for once more', () => {
  test('it may begin where all is as it was', async () => {
    const { means, asked } = meansOf()
    assert.equal(await findRefusal(means, db, run), undefined)
    assert.deepEqual(
      asked.map(({ untrusted, teamPath }) => [untrusted, teamPath]),
      [[false, 'acme/web']],
    )
  })

  test('not for who is gone, may not start it, or may not use its scope', async () => {
    const { access } = meansOf().means
    const gone = meansOf(undefined, { access: { ...access, subject: async () => undefined } })
    assert.match((await findRefusal(gone.means, db, run)) ?? '', /the account is disabled or gone/)
    const weak = meansOf({ acme: ['run.read'], other: ['run.start'] })
    assert.match((await findRefusal(weak.means, db, run)) ?? '', /may no longer start runs of acme\/web/)
    const outside = meansOf(undefined, { access: { ...access, canUseScope: async () => false } })
    assert.match((await findRefusal(outside.means, db, run)) ?? '', /may no longer use the scope acme\/web\/open/)
  })

  test('an untrusted one not in a scope that is protected by now, or gone; and it is asked for as one', async () => {
    const { means, asked } = meansOf()
    const untrusted = { ...run, untrusted: true }
    assert.match((await findRefusal(means, db, { ...untrusted, scope: GUARDED })) ?? '', /is protected/)
    assert.match((await findRefusal(means, db, { ...untrusted, scope: 'acme/web/x' })) ?? '', /is gone/)
    assert.equal(asked.length, 0)
    assert.equal(await findRefusal(means, db, untrusted), undefined)
    assert.equal(asked[0]?.untrusted, true)
    assert.equal(await findProtection(means, db, { untrusted: false }, GUARDED), undefined)
  })

  test('what is missing is told by the attempt that wants it; what is forbidden, by the run', async () => {
    const fault = (why: 'missing' | 'forbidden') =>
      meansOf(undefined, {
        runs: { ...house.means.runs, findFaults: async () => [{ field: 'secrets.NPM', message: 'is none.', why }] },
      })
    assert.equal(await findRefusal(fault('missing').means, db, run), undefined)
    assert.equal(await findRefusal(fault('forbidden').means, db, run), 'secrets.NPM: is none.')
  })
})

describe('a child is asked for as if its initiator had started it', () => {
  const named = [{ kind: 'secret', target: 'acme/api/npm', directive: 'secrets.NPM' }] as const
  const pipeline = { identifier: 'acme/api/deploy', teamPath: 'acme/api', references: named, faults: [] }
  const plan = { pipeline, scope: OPEN, directive: 'steps.one' }

  test('with its scope and what it names, and as trusted as its parent', async () => {
    const { means, asked } = meansOf()
    for (const untrusted of [false, true]) {
      assert.equal(await findChildRefusal(means, db, { ...run, untrusted }, plan), undefined)
    }
    assert.deepEqual(
      asked.map(({ references, untrusted }) => [references.map(({ kind, target }) => `${kind} ${target}`), untrusted]),
      [false, true].map((untrusted) => [[`scope ${OPEN}`, 'secret acme/api/npm'], untrusted]),
    )
  })

  test('not for who may not start runs of its team', async () => {
    const weak = meansOf({ 'acme/web': ['run.start'] })
    const refusal = await findChildRefusal(weak.means, db, run, plan)
    assert.equal(refusal, 'steps.one: ada may not start runs of acme/api.')
  })
})
