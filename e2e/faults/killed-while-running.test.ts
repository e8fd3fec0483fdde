import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { type House, makeDataDir, postgresPid, signalPostgres, startHouse } from '../house/house.ts'
import { type RunnerProcess, startRunner } from '../house/runner.ts'
import { runEnd, runLog } from '../house/runs.ts'
import { makePipeline, makeTeam, type Team } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

const COUNT = 2000
/** A numbered line each 10 ms for 20 s. */
const COUNTING = `
name: counting
steps:
  - name: count
    tasks:
      - name: lines
        run: i=0; while [ $i -lt ${COUNT} ]; do echo "line $i"; i=$((i+1)); sleep 0.01; done
`
const SLEEPING = `
name: sleeping
steps:
  - name: sleep
    tasks:
      - { name: long, run: "echo begun; sleep 300" }
      - { name: again, run: "echo begun $SIGNALBOX_ATTEMPT; test $SIGNALBOX_ATTEMPT = 2 || sleep 300", idempotent: true }
`

describe('killed while tasks run', () => {
  const dataDir = makeDataDir()
  // After a control plane is back, a runner needs up to ten seconds between two tries to notice. A stalled machine adds
  // its own time.
  const env = { LEASE_SECONDS: '25', HEARTBEAT_SECONDS: '1' }
  let ports: { port: number; runnerPort: number }
  let house: House
  let runner: RunnerProcess
  let team: Team
  before(async () => {
    ports = { port: await freePort(), runnerPort: await freePort() }
    house = await startHouse({ dataDir, ports, env })
    team = await makeTeam(house.api, 'killed')
    runner = await startRunner(house, { capacity: 4 })
  })
  after(async () => {
    await runner.stop()
    await house.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function start(document: string): Promise<string> {
    const pipeline = await makePipeline(house.api, team, document)
    const path = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
    return (await house.api.send<{ run_id: string }>('POST', path, { scope: team.scope })).run_id
  }

  const logged = (runId: string, atLeast: number): Promise<unknown> =>
    waitFor(
      `${atLeast} lines`,
      () => runLog(house.api, runId),
      (log) => log.length >= atLeast,
    )

  test('the control plane, then the control plane and its database: the run succeeds, every line is there exactly once', async () => {
    const runId = await start(COUNTING)
    await logged(runId, 200)
    await house.kill('SIGKILL')
    house = await startHouse({ dataDir, ports, env })
    await logged(runId, 700)
    // The embedded server first, so that nothing can be written while the control plane dies.
    signalPostgres(dataDir, 'SIGKILL')
    await house.kill('SIGKILL')
    house = await startHouse({ dataDir, ports, env })
    const run = await runEnd(house.api, runId)
    assert.equal(run.status, 'success', JSON.stringify(run))
    assert.equal(run.steps[0]?.tasks[0]?.attempt, 1)
    const log = await runLog(house.api, runId)
    assert.deepEqual(
      log.map((entry) => entry.line),
      Array.from({ length: COUNT }, (_, i) => `line ${i}`),
    )
  })

  test('the embedded database alone: it is started again and the run goes on', async () => {
    const runId = await start(COUNTING.replace('counting', 'counting-two').replaceAll(String(COUNT), '300'))
    await logged(runId, 50)
    signalPostgres(dataDir, 'SIGKILL')
    assert.equal((await house.api.ask('GET', '/livez')).status, 200)
    const run = await runEnd(house.api, runId)
    assert.equal(run.status, 'success', JSON.stringify(run))
    assert.equal((await runLog(house.api, runId)).length, 300)
  })

  test('a stop in the middle of a run hands it over: the next start goes on with it', async () => {
    const runId = await start(COUNTING.replace('counting', 'counting-three').replaceAll(String(COUNT), '400'))
    await logged(runId, 50)
    await house.kill('SIGTERM')
    assert.equal(postgresPid(dataDir), 0, 'the embedded database was stopped cleanly')
    house = await startHouse({ dataDir, ports, env })
    const run = await runEnd(house.api, runId)
    assert.equal(run.status, 'success', JSON.stringify(run))
    assert.equal((await runLog(house.api, runId)).length, 400)
  })

  test('the runner: its attempts are lost in time, an idempotent task is tried again, another one fails and says why', async () => {
    // No control plane ends here, so that the runner needs no time to find out that one is back.
    await house.kill('SIGTERM')
    house = await startHouse({ dataDir, ports, env: { ...env, LEASE_SECONDS: '10' } })
    const runId = await start(SLEEPING)
    await waitFor(
      'both tasks to have begun',
      () => runLog(house.api, runId),
      (log) => log.filter((entry) => entry.line.startsWith('begun')).length === 2,
    )
    await runner.kill('SIGKILL')
    runner = await startRunner(house, { capacity: 4, name: 'e2e-runner-two' })
    // Long before the task itself would have ended.
    const run = await runEnd(house.api, runId)
    assert.equal(run.status, 'failure')
    const tasks = new Map(run.steps.flatMap((step) => step.tasks).map((task) => [task.name, task]))
    assert.deepEqual([tasks.get('again')?.status, tasks.get('again')?.attempt], ['success', 2])
    assert.equal(tasks.get('long')?.status, 'failure')
    assert.match(tasks.get('long')?.reason ?? '', /runner|lost|lease/i)
  })
})
