import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startPodman, type TestPodman, withoutPodman } from '../../runner/src/executors/container/testing/podman.ts'
import { type House, startHouse } from '../house/house.ts'
import { type RunnerProcess, startRunner } from '../house/runner.ts'
import { runEnd, runLog } from '../house/runs.ts'
import { makePipeline, makeTeam, type Team } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

const IMAGE = 'localhost/tiny:1'
const BOXED = `
name: boxed
steps:
  - name: sleep
    tasks:
      - name: again
        image: ${IMAGE}
        services: [{ name: db, image: "${IMAGE}", command: [sleep, "300"] }]
        idempotent: true
        run: echo "begun $SIGNALBOX_ATTEMPT"; test "$SIGNALBOX_ATTEMPT" = 2 || sleep 300
`

describe('killed while tasks run in containers', { skip: withoutPodman() }, () => {
  // The remains of a failed start are ended too, or the file would never end.
  const ground = new AsyncDisposableStack()
  let podman: TestPodman
  let house: House
  let runner: RunnerProcess
  let team: Team
  let flags: readonly string[]
  before(async () => {
    podman = ground.use(await startPodman())
    podman.makeImage(IMAGE)
    flags = ['--executors', 'container', '--container-host', podman.host, '--container-network', 'none']
    house = await startHouse({ env: { LEASE_SECONDS: '10', HEARTBEAT_SECONDS: '1' } })
    ground.defer(() => house.stop())
    team = await makeTeam(house.api, 'boxed')
    runner = await startRunner(house, { flags })
    ground.defer(() => runner.stop())
  })
  after(() => ground.disposeAsync())

  const containers = (...filters: readonly string[]): readonly string[] =>
    podman
      .run('ps', '--all', '--quiet', ...filters.flatMap((filter) => ['--filter', filter]))
      .split('\n')
      .filter((line) => line !== '')
  const begun = (runId: string, attempt: number): Promise<unknown> =>
    waitFor(
      `attempt ${attempt} to have begun`,
      () => runLog(house.api, runId),
      (log) => log.some((entry) => entry.line === `begun ${attempt}`),
    )
  const start = async (): Promise<string> => {
    const pipeline = await makePipeline(house.api, team, BOXED)
    const path = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
    return (await house.api.send<{ run_id: string }>('POST', path, { scope: team.scope })).run_id
  }

  test('the runner: its containers end with it, long before its lease; another runner tries again, and leaves nothing', async () => {
    const runId = await start()
    await begun(runId, 1)
    assert.equal(containers(`label=signalbox.run=${runId}`).length, 2)
    await runner.kill('SIGKILL')
    await waitFor(
      'the containers to have ended',
      () => Promise.resolve(containers(`label=signalbox.run=${runId}`)),
      (left) => left.length === 0,
    )
    assert.ok(!(await runLog(house.api, runId)).some((entry) => entry.line === 'begun 2'))
    runner = await startRunner(house, { flags, name: 'e2e-runner-two' })
    const run = await runEnd(house.api, runId)
    assert.equal(run.status, 'success', JSON.stringify(run))
    assert.deepEqual(containers(), [])
  })
})
