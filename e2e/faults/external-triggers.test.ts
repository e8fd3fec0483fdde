import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { type SharedDatabase, startSharedDatabase } from '../house/database.ts'
import { type House, makeDataDir, startHouse } from '../house/house.ts'
import { makePipeline, makeTeam } from '../house/team.ts'

const PIPELINE = 'name: build\nsteps:\n  - name: s\n    tasks:\n      - { name: t, checkout: false, run: "true" }\n'
const PATH = '/v1/external-triggers'

interface Made {
  readonly id: string
  readonly secret: string
}

describe('external triggers of a control plane that dies', () => {
  const dataDir = makeDataDir()
  const secretKey = randomBytes(32).toString('hex')
  const ends = new AsyncDisposableStack()
  let database: SharedDatabase
  let ports: { port: number; runnerPort: number }
  let house: House
  let made: Made
  let outputs = ''
  /** Runs that earlier tests started. */
  const known: string[] = []

  const start = (env: Readonly<Record<string, string>> = {}): Promise<House> =>
    startHouse({
      dataDir,
      ports,
      env: { DATABASE_URL: database.url, SECRET_KEY: secretKey, LOG_LEVEL: 'trace', ...env },
    })

  async function stop(): Promise<void> {
    await house.stop()
    outputs += house.output()
  }

  function post(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(`${house.url}${PATH}${path}`, { method: 'POST', headers, signal: AbortSignal.timeout(60_000) })
  }

  before(async () => {
    ends.defer(() => rmSync(dataDir, { recursive: true, force: true }))
    ports = { port: await freePort(), runnerPort: await freePort() }
    database = await startSharedDatabase()
    ends.defer(() => database.stop())
    house = await start()
    ends.defer(() => house.stop())
    const team = await makeTeam(house.api, 'outer')
    const pipeline = await makePipeline(house.api, team, PIPELINE)
    const document = { team_path: team.path, name: 'deploy', pipeline, scope: team.scope }
    made = await house.api.send<Made>('POST', PATH, document)
  })
  after(() => ends.disposeAsync())

  for (const point of ['external_triggers.before_commit', 'external_triggers.after_commit']) {
    test(`${point}: a repetition with the same key makes it one run`, async () => {
      await stop()
      house = await start({ FAIL_POINT: point })
      const headers = { authorization: `Bearer ${made.secret}`, 'idempotency-key': point }
      await assert.rejects(post(`/${made.id}/fire`, headers), 'it died before it answered')
      assert.equal(await house.ended, 'SIGKILL')
      outputs += house.output()
      house = await start()
      const runs = 'select id from runs where external_trigger_id = $1 and id <> all ($2)'
      const query = (): Promise<readonly unknown[]> => database.query(runs, [made.id, known])
      assert.equal((await query()).length, point.endsWith('after_commit') ? 1 : 0)
      const again = await post(`/${made.id}/fire`, headers)
      assert.equal(again.status, 202)
      const { run_id: runId }: { run_id: string } = JSON.parse(await again.text())
      assert.deepEqual(await query(), [{ id: runId }])
      known.push(runId)
    })
  }

  test('its secret is nowhere: not in the log of a whole life, an answer, the audit, the metrics or the database', async () => {
    const { id, secret } = made
    const bearer = { authorization: `Bearer ${secret}` }
    const texts: string[] = []
    const keep = async (answered: Promise<Response>, status: number): Promise<void> => {
      const answer = await answered
      texts.push(await answer.text())
      assert.equal(answer.status, status, texts.at(-1))
    }
    await keep(post(`/${id}/fire/${secret}`, { 'idempotency-key': 'by-address' }), 202)
    await keep(post(`/${id}/fire/${secret}/more`), 404)
    await keep(fetch(`${house.url}${PATH}/${id}/fire/${secret}`), 404)
    await keep(fetch(`${house.url}${PATH}/${id}`, { headers: bearer }), 401)
    await database.query('alter table external_triggers rename to away')
    await keep(post(`/${id}/fire/${secret}`), 500)
    await keep(post(`/${id}/fire`, bearer), 500)
    await database.query('alter table away rename to external_triggers')
    for (const path of [`${PATH}/${id}`, PATH, '/v1/audit?limit=500', '/metrics']) {
      await keep(fetch(`${house.url}${path}`, { headers: { authorization: `Bearer ${house.api.token}` } }), 200)
    }
    const tables = await database.query(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    )
    for (const { name } of tables) {
      const rows = await database.query(`select 1 from "${name}" as t where t::text like '%' || $1 || '%'`, [secret])
      assert.deepEqual(rows, [], String(name))
    }
    await stop()
    assert.match(outputs, /fire\/\*\*\*/, 'the log tells of the failures')
    for (const text of [...texts, outputs]) assert.ok(!text.includes(secret.slice(8)))
    house = await start()
  })
})
