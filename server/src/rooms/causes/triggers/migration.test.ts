import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { migrate, openDatabase } from '#platform/database'
import { createLog } from '#platform/log'
import { createEmptyTestDatabase } from '#platform/testing'
import { systemClock } from '#platform/time'
import { findTrigger, listPage, readRevision, SharedValues } from './store/index.ts'

const MIGRATIONS = join(import.meta.dirname, '../../../../migrations')
const BEFORE = '202611220911'

const url = await createEmptyTestDatabase()
const database = openDatabase({
  url,
  poolSize: 2,
  log: createLog({ level: 'silent', pretty: false }),
  clock: systemClock,
})
after(() => database.close())

test('a trigger of before keeps its meaning, and whoever holds a copy of before sees changes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-migrations-'))
  after(() => rm(folder, { recursive: true }))
  for (const name of await readdir(MIGRATIONS)) {
    if (name < BEFORE) await cp(join(MIGRATIONS, name), join(folder, name))
  }
  await migrate(url, { directory: folder })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const id = '01900000-0000-7000-8000-000000000001'
  await client.query(
    `insert into teams (id, path, name, created_at, updated_at) values ($1, 'acme', 'acme', now(), now())`,
    [id],
  )
  await client.query(
    `insert into triggers (id, team_path, name, repositories, events, actions, branches, tags, paths, pipeline, scope,
       variables, enabled, owner_kind, owner_id, owner_name, created_at, updated_at)
     values ($1, 'acme', 'old', '{acme/*}', '{push}', '{}', '{main}', '{}', '{}', 'acme/build', 'acme/staging',
       '{}', true, 'user', 'u', 'mona', now(), now())`,
    [id],
  )
  await client.end()
  const before = await readRevision(database.kysely)
  await migrate(url)
  const { createdAt: _created, updatedAt: _updated, ...trigger } = (await findTrigger(database.kysely, id)) ?? {}
  assert.deepEqual(trigger, {
    id,
    name: 'old',
    teamPath: 'acme',
    sourceId: null,
    sourceLostAt: null,
    repositories: ['acme/*'],
    events: ['push'],
    actions: [],
    branches: ['main'],
    tags: [],
    paths: [],
    labels: [],
    draft: 'any',
    commands: [],
    commenters: [],
    skipCi: false,
    condition: null,
    pipeline: 'acme/build',
    scope: 'acme/staging',
    variables: {},
    concurrency: null,
    enabled: true,
    owner: { kind: 'user', id: 'u', name: 'mona' },
  })
  assert.equal((await listPage(database.kysely, new SharedValues(), undefined, 10)).length, 1)
  assert.equal(await readRevision(database.kysely), before)
  await database.kysely.updateTable('triggers').set({ enabled: false }).where('id', '=', id).execute()
  assert.equal(await readRevision(database.kysely), before + 1)
})
