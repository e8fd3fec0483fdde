import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { shareObjects } from '../house/data-folder.ts'
import { type SharedDatabase, startSharedDatabase } from '../house/database.ts'
import { type House, makeDataDir, startHouse } from '../house/house.ts'
import { makePipeline, makeTeam, type Team } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

const PIPELINE = 'name: ticked\nsteps:\n  - name: s\n    tasks:\n      - { name: t, run: "true", checkout: false }\n'
const MANY = 60
const SECOND_MS = 1000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const CLOCK = join(import.meta.dirname, '../house/jumping-clock.ts')

describe('control planes that are killed, and clocks that jump: each instant of a schedule is stored once', () => {
  const folder = makeDataDir()
  const armed = join(folder, 'armed')
  const secretKey = randomBytes(32).toString('hex')
  const dataDirs = [makeDataDir(), makeDataDir()] as const
  let database: SharedDatabase
  let team: Team
  let pipeline: string
  const ends = new AsyncDisposableStack()
  before(async () => {
    shareObjects(dataDirs[1], dataDirs[0])
    for (const dir of [folder, ...dataDirs]) ends.defer(() => rmSync(dir, { recursive: true, force: true }))
    database = await startSharedDatabase()
    ends.defer(() => database.stop())
    const house = await start()
    team = await makeTeam(house.api, 'ticks')
    pipeline = await makePipeline(house.api, team, PIPELINE)
    await house.stop()
  })
  after(() => ends.disposeAsync())

  async function start(env: Readonly<Record<string, string>> = {}, dataDir: string = dataDirs[0]): Promise<House> {
    const house = await startHouse({ dataDir, env: { DATABASE_URL: database.url, SECRET_KEY: secretKey, ...env } })
    // A test that fails leaves nothing behind; one that has ended is ended again at no cost.
    ends.defer(() => house.kill('SIGKILL'))
    return house
  }

  async function create(house: House, name: string, timing: object): Promise<string> {
    const body = { path: team.path, name, pipeline, scope: team.scope, ...timing }
    return (await house.api.send<{ id: string }>('POST', '/v1/schedules', body)).id
  }

  /** From the first to the last instant of each schedule: how many there should be, how many are, and their runs. */
  async function books(everyMs: number, ids: readonly string[]) {
    return (await database.query(BOOKS, [everyMs / 1000, ids])).map((row) => ({
      wanted: Number(row['wanted']),
      decided: Number(row['decided']),
      rows: Number(row['rows']),
      started: Number(row['started']),
      runs: Number(row['runs']),
    }))
  }

  async function assertBooks(everyMs: number, ids: readonly string[]): Promise<void> {
    const found = await books(everyMs, ids)
    assert.equal(found.length, ids.length)
    for (const { wanted, decided, started, runs } of found) {
      assert.deepEqual({ decided, runs }, { decided: wanted, runs: started })
    }
  }

  const firesOf = (id: string) =>
    database.query('select outcome, run_id from schedule_fires where schedule_id = $1', [id])

  for (const point of ['schedules.before_commit', 'schedules.after_commit']) {
    test(`${point}: one fire and one run`, async () => {
      const dying = await start({ FAIL_POINT: `${point}@${armed}` })
      writeFileSync(armed, '')
      // A slow machine stores it before, too.
      const runAt = new Date(Date.now() + 5 * SECOND_MS).toISOString()
      const name = point.replaceAll(/[._]/g, '-').replace('schedules-', '')
      const id = await create(dying, name, { schedule_kind: 'one_time', run_at: runAt })
      assert.equal(await dying.ended, 'SIGKILL', dying.output())
      rmSync(armed)
      assert.equal((await firesOf(id)).length, point === 'schedules.before_commit' ? 0 : 1)
      const house = await start()
      await waitFor(
        'the fire',
        () => firesOf(id),
        (fires) => fires.length > 0,
      )
      await sleep(2 * SECOND_MS)
      const [fire, ...others] = await firesOf(id)
      assert.deepEqual(others, [])
      const runs = await database.query('select id from runs where schedule_id = $1', [id])
      assert.deepEqual(runs, [{ id: fire?.['run_id'] }])
      const schedule = await house.api.get<Record<string, unknown>>(`/v1/schedules/${id}`)
      assert.deepEqual([schedule['enabled'], schedule['last_outcome']], [false, 'started'])
      await house.stop()
    })
  }

  test(`${MANY} schedules of each second, two control planes, one of them killed twice`, async () => {
    const steady = await start()
    let killed = await start({}, dataDirs[1])
    const ids: string[] = []
    for (let at = 0; at < MANY; at += 1) {
      const timing = { schedule_kind: 'recurring', cron_expression: '* * * * * *' }
      ids.push(await create(at % 2 ? steady : killed, `each-second-${at}`, timing))
    }
    for (let kill = 0; kill < 2; kill += 1) {
      await sleep(2500 + kill * 333)
      await killed.kill('SIGKILL')
      await sleep(1500)
      killed = await start({}, dataDirs[1])
    }
    await sleep(2 * SECOND_MS)
    for (const id of ids) await steady.api.send('POST', `/v1/schedules/${id}/disable`)
    await assertBooks(SECOND_MS, ids)
    const found = await books(SECOND_MS, ids)
    assert.ok(Math.min(...found.map(({ rows }) => rows)) >= 8, JSON.stringify(found[0]))
    const others = await database.query(
      `select distinct outcome, reason from schedule_fires where schedule_id = any($1::uuid[]) and outcome <> 'started'`,
      [ids],
    )
    // Each one started a run, but for those that were due when the test disabled their schedules.
    const overtaken = { outcome: 'missed', reason: 'The schedule was disabled before this instant fired.' }
    assert.deepEqual(
      others,
      others.map(() => overtaken),
    )
    await killed.stop()
    await steady.stop()
  })

  test('a clock that jumps an hour ahead and back, beside one that is right', async () => {
    const wrong = join(folder, 'wrong-clock')
    const jump = (ms: number): void => writeFileSync(wrong, String(ms))
    const steady = await start()
    const jumping = await start({ NODE_OPTIONS: `--import=${CLOCK}`, SIGNALBOX_TEST_CLOCK: wrong }, dataDirs[1])
    const ids: string[] = []
    for (const [policy, misfire_policy] of ['skip', 'last', 'all'].entries()) {
      const timing = { schedule_kind: 'recurring', cron_expression: '* * * * *', misfire_policy }
      ids.push(await create(steady, `jumped-${policy}`, timing))
    }
    const decidedAtLeast = async (count: number): Promise<void> => {
      await waitFor(
        `${count} instants`,
        () => books(MINUTE_MS, ids),
        (found) => found.length === ids.length && found.every(({ decided }) => decided >= count),
      )
    }
    jump(HOUR_MS)
    await decidedAtLeast(58)
    jump(-HOUR_MS)
    await sleep(2 * SECOND_MS)
    const [standing] = await books(MINUTE_MS, ids)
    jump(HOUR_MS + 3 * MINUTE_MS)
    await decidedAtLeast((standing?.decided ?? 0) + 2)
    jump(0)
    await sleep(2 * SECOND_MS)
    await assertBooks(MINUTE_MS, ids)
    await jumping.stop()
    await steady.stop()
  })
})

const BOOKS = `
  select schedule_id,
    (extract(epoch from max(coalesce(missed_until, planned_at)) - min(planned_at)) / $1 + 1)::int as wanted,
    sum(missed_count)::int as decided, count(distinct planned_at)::int as rows,
    count(*) filter (where outcome = 'started')::int as started,
    (select count(*)::int from runs where runs.schedule_id = schedule_fires.schedule_id) as runs
  from schedule_fires where schedule_id = any($2::uuid[]) group by schedule_id`
