import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTestDatabase, testCaller } from '#platform/testing'
import { aGraph, aStep } from '../../../../../pipeline/src/status/testing/index.ts'
import { findChildRefusal, findProtection, findRefusal } from './actions/find-refusal.ts'

const { database } = await createTestDatabase()
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

type Needs = Parameters<typeof findRefusal>[0]
type Wanted = Parameters<Needs['runs']['findFaults']>[2]

/** Everything is allowed, unless a test says otherwise. */
function needsOf(grants: Record<string, string[]> = { '/': ['*'] }, change: Partial<Needs> = {}) {
  const asked: Wanted[] = []
  const needs: Needs = {
    access: { subject: async () => testCaller(grants), canUseScope: async () => true },
    teams: {
      resolveScope: async (_db, scope) => {
        if (scope === GUARDED || scope === OPEN)
          return { teamPath: 'acme/web', environment: '', protected: scope === GUARDED, allowedSubjects: [] }
        return undefined
      },
    },
    pipelines: { referencesOf: () => [{ kind: 'secret', target: 'acme/web/npm', directive: 'secrets.NPM' }] },
    runs: {
      findFaults: async (_db, _caller, wanted) => {
        asked.push(wanted)
        return []
      },
    },
    ...change,
  }
  return { needs, asked }
}

describe('a run that begins is asked for once more', () => {
  test('it may begin where all is as it was', async () => {
    const { needs, asked } = needsOf()
    assert.equal(await findRefusal(needs, db, run), undefined)
    assert.deepEqual(
      asked.map(({ untrusted, teamPath }) => [untrusted, teamPath]),
      [[false, 'acme/web']],
    )
  })

  test('not for who is gone, may not start it, or may not use its scope', async () => {
    const { access } = needsOf().needs
    const gone = needsOf(undefined, { access: { ...access, subject: async () => undefined } })
    assert.match((await findRefusal(gone.needs, db, run)) ?? '', /the account is disabled or gone/)
    const weak = needsOf({ acme: ['run.read'], other: ['run.start'] })
    assert.match((await findRefusal(weak.needs, db, run)) ?? '', /may no longer start runs of acme\/web/)
    const outside = needsOf(undefined, { access: { ...access, canUseScope: async () => false } })
    assert.match((await findRefusal(outside.needs, db, run)) ?? '', /may no longer use the scope acme\/web\/open/)
  })

  test('an untrusted one not in a scope that is protected by now, or gone; and it is asked for as one', async () => {
    const { needs, asked } = needsOf()
    const untrusted = { ...run, untrusted: true }
    assert.match((await findRefusal(needs, db, { ...untrusted, scope: GUARDED })) ?? '', /is protected/)
    assert.match((await findRefusal(needs, db, { ...untrusted, scope: 'acme/web/x' })) ?? '', /is gone/)
    assert.equal(asked.length, 0)
    assert.equal(await findRefusal(needs, db, untrusted), undefined)
    assert.equal(asked[0]?.untrusted, true)
    assert.equal(await findProtection(needs, db, { untrusted: false }, GUARDED), undefined)
  })

  test('what is missing is told by the attempt that wants it; what is forbidden, by the run', async () => {
    const fault = (why: 'missing' | 'forbidden') =>
      needsOf(undefined, { runs: { findFaults: async () => [{ field: 'secrets.NPM', message: 'is none.', why }] } })
    assert.equal(await findRefusal(fault('missing').needs, db, run), undefined)
    assert.equal(await findRefusal(fault('forbidden').needs, db, run), 'secrets.NPM: is none.')
  })
})

describe('a child is asked for as if its initiator had started it', () => {
  const named = [{ kind: 'secret', target: 'acme/api/npm', directive: 'secrets.NPM' }] as const
  const pipeline = { identifier: 'acme/api/deploy', teamPath: 'acme/api', references: named, faults: [] }
  const plan = { pipeline, scope: OPEN, directive: 'steps.one' }

  test('with its scope and what it names, and as trusted as its parent', async () => {
    const { needs, asked } = needsOf()
    for (const untrusted of [false, true]) {
      assert.equal(await findChildRefusal(needs, db, { ...run, untrusted }, plan), undefined)
    }
    assert.deepEqual(
      asked.map(({ references, untrusted }) => [references.map(({ kind, target }) => `${kind} ${target}`), untrusted]),
      [false, true].map((untrusted) => [[`scope ${OPEN}`, 'secret acme/api/npm'], untrusted]),
    )
  })

  test('not for who may not start runs of its team', async () => {
    const weak = needsOf({ 'acme/web': ['run.start'] })
    const refusal = await findChildRefusal(weak.needs, db, run, plan)
    assert.equal(refusal, 'steps.one: ada may not start runs of acme/api.')
  })
})
