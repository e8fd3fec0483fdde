import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { MIGRATIONS_DIR, migrate } from '../../server/src/platform/database/migrate.ts'
import { type SharedDatabase, startSharedDatabase } from '../house/database.ts'
import { type House, makeDataDir, startHouse } from '../house/house.ts'
import { readOperations } from '../house/open-api.ts'
import { connected, countRows, type Dump, loadDump, readDump, SECRET_KEY } from './dump.ts'

const DUMPS = join(import.meta.dirname, 'dumps')
const VERSIONS = readdirSync(DUMPS).map((file) => file.replace(/\.sql$/, ''))

interface Page {
  readonly [name: string]: unknown
}

for (const version of VERSIONS) {
  describe(`a database of version ${version}`, () => {
    const dump: Dump = readDump(readFileSync(join(DUMPS, `${version}.sql`), 'utf8'))
    const dataDir = makeDataDir()
    let database: SharedDatabase
    let house: House
    let stored: ReadonlyMap<string, number>

    test('has migrations that nobody has changed since', () => {
      const digests = dump.migrations.map(({ name }) => ({ name, checksum: digestOf(name) }))
      assert.deepEqual(
        digests,
        dump.migrations,
        'a released migration never changes: restore the file, and add another one',
      )
    })

    describe('is migrated and served', () => {
      before(async () => {
        database = await startSharedDatabase()
        const { url } = database
        await connected(url, (client) => client.query('drop schema public cascade; create schema public'))
        await migrate(url, { exactly: dump.migrations })
        await loadDump(url, dump)
        stored = await countRows(url)
        await migrate(url)
        await placeObjects(url, dataDir)
        house = await startHouse({ dataDir, env: { DATABASE_URL: url, SECRET_KEY } })
      })
      after(async () => {
        await house?.stop()
        await database?.stop()
        rmSync(dataDir, { recursive: true, force: true })
      })

      test('with rows in every table', () => {
        assert.deepEqual(
          [...stored].filter(([, count]) => count === 0),
          [],
        )
      })

      test('every list of the API answers, and each thing in it can be read by its id', async () => {
        const operations = (await readOperations(house.url)).filter(({ method }) => method === 'GET')
        const lists = operations.flatMap(({ path }) => /^(.*)\/\{(?:id|sourceID)\}$/.exec(path)?.[1] ?? [])
        const paths = new Set(operations.map(({ path }) => path))
        const read: string[] = []
        for (const list of lists.filter((path) => paths.has(path))) {
          const answer = await house.api.ask('GET', list)
          assert.equal(answer.status, 200, `${list}: ${JSON.stringify(answer.body)}`)
          for (const id of idsOf(answer.body)) {
            const one = await house.api.ask('GET', `${list}/${id}`)
            assert.equal(one.status, 200, `${list}/${id}: ${JSON.stringify(one.body)}`)
            read.push(list)
          }
        }
        for (const list of ['/v1/runs', '/v1/triggers', '/v1/runners', '/v1/users', '/v1/git-webhook-sources']) {
          assert.ok(read.includes(list), `nothing of ${list} was read`)
        }
      })

      test('a run shows its steps, its log, its approvals and what it left behind', async () => {
        const [run] = await database.query('select run_id as id from artifacts limit 1')
        const path = `/v1/runs/${String(run?.['id'])}`
        for (const part of ['', '/status', '/outputs', '/final-outputs', '/artifacts']) {
          const answer = await house.api.ask('GET', `${path}${part}`)
          assert.equal(answer.status, 200, `${part}: ${JSON.stringify(answer.body)}`)
        }
      })

      test('its secrets can be opened: a source still verifies who sends', async () => {
        const [source] = await database.query("select id from webhook_sources where name = 'acme-github'")
        const response = await fetch(`${house.url}/v1/git/webhooks/${String(source?.['id'])}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-github-event': 'push',
            'x-github-delivery': '1',
            'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
          },
          body: '{}',
        })
        assert.equal(response.status, 401, await response.text())
      })

      test('what is new works on it: a pipeline of before starts a run', async () => {
        const scope = { scope: 'acme/test' }
        const answer = await house.api.ask('POST', `/v1/pipelines/${encodeURIComponent('acme/build')}/runs`, scope)
        assert.equal(answer.status, 202, JSON.stringify(answer.body))
      })
    })
  })
}

test('the first release has its dump', () => {
  assert.ok(VERSIONS.includes('0.1.0'))
})

function digestOf(migration: string): string {
  const text = readFileSync(join(MIGRATIONS_DIR, `${migration}.sql`), 'utf8')
  return createHash('sha256').update(text).digest('hex')
}

/** The folder that the database knows as the one with its objects; these are no part of a dump. */
async function placeObjects(url: string, dataDir: string): Promise<void> {
  const { rows } = await connected(url, (client) => client.query<{ id: string }>('select id from object_places'))
  mkdirSync(join(dataDir, 'objects'), { mode: 0o700 })
  writeFileSync(join(dataDir, 'objects/.place'), `${rows[0]?.id}\n`, { mode: 0o600 })
}

/** Ids of the first page, in whichever form the list has it. */
function idsOf(body: unknown): readonly string[] {
  const items = Array.isArray(body) ? body : Object.values(isPage(body) ? body : {}).find(Array.isArray)
  return (items ?? []).flatMap((item: unknown) => {
    const id = isPage(item) ? (item['id'] ?? item['run_id']) : undefined
    return typeof id === 'string' ? [id] : []
  })
}

function isPage(value: unknown): value is Page {
  return typeof value === 'object' && value !== null
}
