import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeRepository } from '../house/git.ts'
import { freePort, type House, makeDataDir, startHouse } from '../house/house.ts'
import { type RunnerProcess, startRunner } from '../house/runner.ts'
import { runEnd, runLog } from '../house/runs.ts'
import { deliverPush, makePipeline, makeTeam, makeTrigger, type Team } from '../house/team.ts'

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

/** At each transaction border of the main job: the process dies there, and a new start loses and doubles nothing. */
const POINTS = [
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

describe('killed with SIGKILL at a transaction border, a new start comes up by itself with nothing lost', () => {
  const dataDir = makeDataDir()
  const gitFolder = mkdtempSync(join(tmpdir(), 'signalbox-git-'))
  const repository = makeRepository(gitFolder)
  let ports: { port: number; runnerPort: number }
  let house: House
  let runner: RunnerProcess
  let team: Team
  before(async () => {
    ports = { port: await freePort(), runnerPort: await freePort() }
    house = await start(0)
    team = await makeTeam(house.api, 'faults')
    await makeTrigger(house.api, team, 'on-push', await makePipeline(house.api, team, PIPELINE))
    runner = await startRunner(house, { capacity: 2 })
  })
  after(async () => {
    await runner.stop()
    await house.stop()
    rmSync(dataDir, { recursive: true, force: true })
    rmSync(gitFolder, { recursive: true, force: true })
  })

  /** Where this file is, the house dies at the point that its life was given. */
  const armed = join(gitFolder, 'armed')
  const start = (life: number): Promise<House> => {
    const point = POINTS[life]
    return startHouse({ dataDir, ports, env: point === undefined ? {} : { FAIL_POINT: `${point}@${armed}` } })
  }

  for (const [at, point] of POINTS.entries()) {
    test(point, async () => {
      writeFileSync(armed, '')
      const push = { ...repository.push({ 'file.txt': point }, point), deliveryId: crypto.randomUUID() }
      const answered = await deliverPush(house.api, team, repository.cloneUrl, push).then(
        (delivered) => delivered.status,
        () => 'no answer',
      )
      assert.equal(await house.ended, 'SIGKILL', `the fail point was not reached; ${house.output()}`)
      rmSync(armed)
      house = await start(at + 1)
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
})
