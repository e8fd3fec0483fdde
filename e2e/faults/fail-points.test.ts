import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type SharedDatabase, startSharedDatabase } from '../house/database.ts'
import { makeRepository } from '../house/git.ts'
import { freePort, type House, makeDataDir, startHouse } from '../house/house.ts'
import { type Proxy, startProxy } from '../house/proxy.ts'
import { type RunnerProcess, startRunner } from '../house/runner.ts'
import { runEnd, runLog } from '../house/runs.ts'
import { deliverPush, makePipeline, makeTeam, makeTrigger, type Team } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

const PIPELINE = `
name: counted
checkout: false
steps:
  - name: first
    tasks:
      - { name: a, run: "for i in 1 2 3 4 5; do echo a$i; done; echo n=7 >> $SIGNALBOX_OUTPUT", outputs: { n: {} } }
      - { name: b, run: "for i in 1 2 3 4 5; do echo b$i; done" }
  - name: second
    depends_on: [first]
    tasks:
      - { name: c, run: 'echo "c$N"', env: { N: $steps.first.a.outputs.n } }
  - name: third
    depends_on: [second]
    tasks:
      - { name: d, run: "echo $SIGNALBOX_RUN_ID > left.txt", artifacts: { paths: [left.txt] } }
`
const LINES = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'b3', 'b4', 'b5', 'c7']

/** Long enough not to be found in what is random. */
const HUSH = 'hush-hush-hush'
/** Which is more than one stored row, and cannot be compressed to less. */
const WORDY = `
name: wordy
checkout: false
steps:
  - name: s
    tasks:
      - { name: t, run: "echo ${HUSH}; head -c 1500000 /dev/urandom | base64 -w 1000" }
`

/** At each transaction border of the main job: the process dies there, and a new start loses and doubles nothing. */
const MAIN_POINTS = [
  'ingress.before_commit',
  'ingress.after_commit',
  'dispatch.before_commit',
  'dispatch.after_commit',
  'progress.before_commit',
  'progress.after_commit',
  'progress.before_commit:2',
  'progress.after_commit:2',
  'logs.before_commit',
  'logs.after_commit',
  'artifacts.part_stored',
]
/** While a log that is there is written anew. */
const LOG_POINTS = ['logs.before_pack', 'logs.after_pack', 'logs.before_scrub']
const POINTS = [...MAIN_POINTS, ...LOG_POINTS]

describe('killed with SIGKILL at a transaction border, a new start comes up by itself with nothing lost', () => {
  const dataDir = makeDataDir()
  const secretKey = randomBytes(32).toString('hex')
  const gitFolder = mkdtempSync(join(tmpdir(), 'signalbox-git-'))
  const repository = makeRepository(gitFolder)
  // That the embedded one comes back too is shown where control planes are killed while tasks run.
  let database: SharedDatabase
  let ports: { port: number; runnerPort: number }
  let house: House
  let way: Proxy
  let runner: RunnerProcess
  let team: Team
  before(async () => {
    ports = { port: await freePort(), runnerPort: await freePort() }
    database = await startSharedDatabase()
    way = await startProxy(() => [ports.runnerPort])
    house = await start(0)
    team = await makeTeam(house.api, 'faults')
    await makeTrigger(house.api, team, 'on-push', await makePipeline(house.api, team, PIPELINE))
    await makePipeline(house.api, team, WORDY)
    runner = await startRunner({ ...house, runnerUrl: `127.0.0.1:${way.port}` }, { capacity: 2 })
  })
  after(async () => {
    await runner.stop()
    way.close()
    await house.stop()
    await database.stop()
    rmSync(dataDir, { recursive: true, force: true })
    rmSync(gitFolder, { recursive: true, force: true })
  })

  /** Where this file is, the house dies at the point that its life was given. */
  const armed = join(gitFolder, 'armed')
  const start = (life: number): Promise<House> => {
    const point = POINTS[life]
    const armament = point === undefined ? {} : { FAIL_POINT: `${point}@${armed}` }
    return startHouse({ dataDir, ports, env: { DATABASE_URL: database.url, SECRET_KEY: secretKey, ...armament } })
  }

  /** It dies at the point of this life, once `cause` has led there, and is started again. */
  async function outlive<T>(point: string, cause: () => Promise<T>): Promise<T> {
    writeFileSync(armed, '')
    const caused = await cause()
    assert.equal(await house.ended, 'SIGKILL', `the fail point was not reached; ${house.output()}`)
    rmSync(armed)
    // Whoever comes meanwhile waits at the door, as behind a load balancer, instead of coming back later and later.
    way.setWeather({ kind: 'partition' })
    house = await start(POINTS.indexOf(point) + 1)
    way.setWeather({ kind: 'fair' })
    return caused
  }

  for (const point of MAIN_POINTS) {
    test(point, async () => {
      const push = { ...repository.push({ 'file.txt': point }, point), deliveryId: crypto.randomUUID() }
      const answered = await outlive(point, () =>
        deliverPush(house.api, team, repository.cloneUrl, push).then(
          (delivered) => delivered.status,
          () => 'no answer',
        ),
      )
      if (answered !== 202) {
        // The sender had no answer, so it sends the same delivery again: people press "Redeliver".
        const again = await deliverPush(house.api, team, repository.cloneUrl, push)
        assert.equal(again.status, 202)
      }
      const runs = await house.api.get<{ run_id: string; commit_sha: string }[]>('/v1/runs?limit=500')
      const ours = runs.filter((run) => run.commit_sha === push.after)
      assert.equal(ours.length, 1, 'one delivery, one run')
      const runId = ours[0]?.run_id ?? ''
      const run = await runEnd(house.api, runId)
      assert.equal(run.status, 'success', JSON.stringify(run))
      assert.ok(
        run.steps.every((step) => step.tasks.every((task) => task.attempt === 1)),
        'no task ran twice: its runner stayed alive',
      )
      const lines = (await runLog(house.api, runId)).map((entry) => entry.line)
      assert.deepEqual(lines.filter((line) => /^[abc]\d$/.test(line)).sort(), LINES)
      const artifacts = await house.api.get<{ name: string; files: number }[]>(`/v1/runs/${runId}/artifacts`)
      assert.deepEqual(
        artifacts.map(({ name, files }) => [name, files]),
        [['d', 1]],
      )
    })
  }

  for (const point of LOG_POINTS) {
    test(point, async () => {
      const pipeline = encodeURIComponent(`${team.path}/wordy`)
      const started = { scope: team.scope }
      const { run_id: runId } = await house.api.send<{ run_id: string }>(
        'POST',
        `/v1/pipelines/${pipeline}/runs`,
        started,
      )
      assert.equal((await runEnd(house.api, runId)).status, 'success')
      const written = (await runLog(house.api, runId)).map(({ line }) => line)
      const rowsBefore = await rowsOf(runId)
      assert.ok(written.length > 1900 && rowsBefore > 4, `${written.length} lines, ${rowsBefore} rows`)

      const job = point === 'logs.before_scrub' ? 'logs.scrub' : 'logs.pack'
      await outlive(point, async () => {
        if (job === 'logs.scrub') await house.api.send('POST', `/v1/runs/${runId}/logs/scrub`, { values: [HUSH] })
        // As its minute does.
        else await database.query('select graphile_worker.add_job($1)', [job])
      })
      const expected = written.map((line) => (job === 'logs.scrub' ? line.replace(HUSH, '***') : line))
      const same = async (): Promise<void> => {
        const lines = (await runLog(house.api, runId)).map(({ line }) => line)
        const wrong = expected.findIndex((line, at) => lines[at] !== line)
        assert.deepEqual([lines.length, wrong, lines[wrong]], [expected.length, -1, undefined])
      }
      await same()
      await waitFor(
        'the job to be done',
        () =>
          database.query('select locked_at, last_error from graphile_worker.jobs where task_identifier = $1', [job]),
        (jobs) => jobs.length === 0,
      )
      await same()
      if (job === 'logs.pack') assert.ok((await rowsOf(runId)) < rowsBefore, 'rows were put together')
    })
  }

  async function rowsOf(runId: string): Promise<number> {
    const [row] = await database.query(
      'select count(*)::integer as rows from log_chunks join attempts on attempts.id = attempt_id where run_id = $1',
      [runId],
    )
    return Number(row?.['rows'])
  }
})
