import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { type SharedDatabase, startSharedDatabase } from '../house/database.ts'
import { makeGitFolder, makeRepository } from '../house/git.ts'
import { type House, makeDataDir, startHouse } from '../house/house.ts'
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

/** Long enough not to occur in random text. */
const HUSH = 'hush-hush-hush'
/** More than one row of a packed log, however well it is compressed; the last line tells what stood between. */
const WORDY = `
name: wordy
checkout: false
steps:
  - name: s
    tasks:
      - { name: t, run: "echo ${HUSH}; head -c 1500000 /dev/urandom | base64 -w 1000 > f; cat f; sha256sum < f" }
`
/** Lines that only a packed row holds: what a runner sends at once are 64 KiB. */
const PACKED_LINES = 500

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
  const gitFolder = makeGitFolder()
  const repository = makeRepository(gitFolder)
  // Control planes killed while tasks run show that the embedded database comes back, too.
  let database: SharedDatabase
  let ports: { port: number; runnerPort: number }
  let house: House
  let way: Proxy
  let runner: RunnerProcess
  let team: Team
  // A start that fails leaves nothing behind either.
  const ends = new AsyncDisposableStack()
  before(async () => {
    ends.defer(() => rmSync(dataDir, { recursive: true, force: true }))
    ends.defer(() => rmSync(gitFolder, { recursive: true, force: true }))
    ports = { port: await freePort(), runnerPort: await freePort() }
    database = await startSharedDatabase()
    ends.defer(() => database.stop())
    way = await startProxy(() => [ports.runnerPort])
    ends.defer(() => way.close())
    house = await start(0)
    ends.defer(() => house.stop())
    team = await makeTeam(house.api, 'faults')
    await makeTrigger(house.api, team, 'on-push', await makePipeline(house.api, team, PIPELINE))
    await makePipeline(house.api, team, WORDY)
    runner = await startRunner(
      { ...house, runnerUrl: `127.0.0.1:${way.port}` },
      {
        capacity: 2,
        flags: ['--local-repositories', gitFolder],
      },
    )
    ends.defer(() => runner.stop())
  })
  after(() => ends.disposeAsync())

  /** Where this file is, the house dies at the point that its life was given. */
  const armed = join(gitFolder, 'armed')
  const start = (life: number): Promise<House> => {
    const point = POINTS[life]
    const armament = point === undefined ? {} : { FAIL_POINT: `${point}@${armed}` }
    const env = { DATABASE_URL: database.url, SECRET_KEY: secretKey, LOCAL_REPOSITORIES: gitFolder }
    return startHouse({ dataDir, ports, env: { ...env, ...armament } })
  }

  /** The control plane dies at the point of this life, once `cause` has led there, and is started again. */
  async function outlive<T>(point: string, cause: () => Promise<T>): Promise<T> {
    writeFileSync(armed, '')
    const caused = await cause()
    assert.equal(await house.ended, 'SIGKILL', `the fail point was not reached; ${house.output()}`)
    rmSync(armed)
    // New requests wait at the door meanwhile, as behind a load balancer, instead of coming back later and later.
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
      const isScrub = point === 'logs.before_scrub'
      const path = `/v1/pipelines/${encodeURIComponent(`${team.path}/wordy`)}/runs`
      const { run_id: runId } = await house.api.send<{ run_id: string }>('POST', path, { scope: team.scope })
      await outlive(point, async () => {
        // The minute at which logs are packed may come meanwhile.
        const over = await Promise.race([house.ended, runEnd(house.api, runId)])
        if (typeof over === 'string') return
        if (!isScrub) return void (await database.query("select graphile_worker.add_job('logs.pack')"))
        // The control plane may die before it answers: the stored values trigger its death.
        await house.api.ask('POST', `/v1/runs/${runId}/logs/scrub`, { values: [HUSH] }).then(
          ({ status }) => assert.equal(status, 202),
          () => undefined,
        )
      })
      assert.equal((await runEnd(house.api, runId)).status, 'success')
      await everyLine(runId, isScrub)
      const done = isScrub
        ? 'select from log_scrubs where run_id = $1 and changed_lines = 1'
        : `select from log_chunks join attempts on id = attempt_id where run_id = $1 and line_count > ${PACKED_LINES}`
      await waitFor(
        'the log to be written anew',
        () => database.query(done, [runId]),
        (rows) => rows.length > 0,
      )
      await everyLine(runId, isScrub)
    })
  }

  async function everyLine(runId: string, isScrubbed: boolean): Promise<void> {
    const [first, ...rest] = (await runLog(house.api, runId)).map(({ line }) => line)
    const sum = createHash('sha256')
      .update(`${rest.slice(0, -1).join('\n')}\n`)
      .digest('hex')
    assert.deepEqual([first, rest.at(-1)], [isScrubbed ? '***' : HUSH, `${sum}  -`])
  }
})
