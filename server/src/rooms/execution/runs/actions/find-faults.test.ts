import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { SharedReadings } from '#platform/database'
import { createFairShares } from '#platform/http'
import { createTestDatabase, createTestKit, testCaller } from '#platform/testing'
import type { Means } from '../means.ts'
import { NOTHING_ABOVE, openRuns } from '../testing.ts'
import { findFaults } from './find-faults.ts'
import { keepEventTexts } from './keep-events.ts'

const { database } = await createTestDatabase()
const [GUARDED, OPEN, SEEN] = ['acme/web/guarded', 'acme/web/open', 'acme/web/seen']

const at = new Date()
const aRow = {
  id: '01900000-0000-7000-8000-000000000001',
  teamPath: 'acme/api',
  name: 'build',
  identifier: 'acme/api/build',
  version: 1,
  profileId: null,
  createdAt: at,
  updatedAt: at,
}

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
      return scope === GUARDED || scope === OPEN ? 'usable' : 'unknown'
    },
  },
  teams: {
    ...below.teams,
    resolveScope: async (_db, scope) => ({
      teamPath: 'acme/web',
      environment: '',
      protected: scope === GUARDED,
      allowedSubjects: [],
    }),
  },
  secrets: {
    ...below.secrets,
    check: async (_db, ref) => (ref === 'secret:acme/web/npm' ? undefined : 'There is no such secret.'),
  },
  pipelines: { ...below.pipelines, find: async (_db, name) => (name === 'acme/api/build' ? aRow : undefined) },
}

type TestGrants = NonNullable<Parameters<typeof testCaller>[0]>
type Reference = Parameters<typeof findFaults>[3]['references'][number]

async function ask(
  reference: Omit<Reference, 'directive'>,
  change: { grants?: TestGrants; untrusted?: boolean; quick?: boolean } = {},
): Promise<string | undefined> {
  const { grants = { '/': ['*'] }, untrusted = false, quick = false } = change
  const references = [{ ...reference, directive: 'it' }]
  const wanted = { teamPath: 'acme/web', references, untrusted, who: 'ada', quick }
  const [fault] = await findFaults(means, database.kysely, testCaller(grants), wanted)
  return fault && `${fault.why}: ${fault.message}`
}

const nothing: TestGrants = { 'acme/web': ['run.read'] }

describe('what a pipeline names', () => {
  test('a scope: one that the caller may use, and of an untrusted run none that is protected', async () => {
    assert.equal(await ask({ kind: 'scope', target: GUARDED }), undefined)
    assert.equal(await ask({ kind: 'scope', target: OPEN }, { untrusted: true }), undefined)
    assert.match(
      (await ask({ kind: 'scope', target: GUARDED }, { untrusted: true })) ?? '',
      /^forbidden: .*is protected/,
    )
    assert.match((await ask({ kind: 'scope', target: SEEN })) ?? '', /^forbidden: ada may not use/)
    assert.match((await ask({ kind: 'scope', target: 'acme/x/y' })) ?? '', /^unknown: /)
  })

  test('a secret: by secret.read; an untrusted run gets none, so it needs no right', async () => {
    const secret = { kind: 'secret', target: 'acme/web/npm' } as const
    assert.equal(await ask(secret), undefined)
    assert.match((await ask({ ...secret, target: 'acme/web/gone' })) ?? '', /^missing: /)
    for (const quick of [false, true]) {
      assert.match((await ask(secret, { grants: nothing, quick })) ?? '', /^forbidden: ada may not use the secrets/)
      assert.equal(await ask(secret, { grants: nothing, untrusted: true, quick }), undefined)
    }
  })

  test('a profile: by profile.read', async () => {
    assert.equal(await ask({ kind: 'profile', target: 'acme/web/p' }), undefined)
    assert.match((await ask({ kind: 'profile', target: 'acme/web/p' }, { grants: nothing })) ?? '', /^forbidden: /)
  })

  test('a pipeline: one that the caller sees and may start', async () => {
    const child = { kind: 'pipeline', target: 'acme/api/deploy' } as const
    assert.match((await ask(child)) ?? '', /^missing: /)
    assert.equal(await ask(child, { quick: true }), undefined)
    assert.match((await ask(child, { quick: true, grants: nothing })) ?? '', /^forbidden: ada may not start runs/)
    const there = { ...child, target: 'acme/api/build' }
    const [absent, hidden] = [await ask(child), await ask(there, { grants: { 'acme/api': ['run.start'] } })]
    assert.equal(hidden?.replace('build', 'deploy'), absent)
    const seen = await ask(there, { grants: { 'acme/api': ['pipeline.read'] } })
    assert.match(seen ?? '', /^forbidden: ada may not start runs of acme\/api/)
    assert.equal(await ask(there), undefined)
  })
})
