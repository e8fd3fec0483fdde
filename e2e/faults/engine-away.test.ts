import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startPodman, type TestPodman, withoutPodman } from '../../runner/src/executors/container/testing/podman.ts'
import { type House, startHouse } from '../house/house.ts'
import { type RunnerProcess, startRunner } from '../house/runner.ts'
import { runEnd, runLog } from '../house/runs.ts'
import { makePipeline, makeTeam, type Team } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

const IMAGE = 'localhost/tiny:1'
/** The step is neither idempotent nor has it a retry. */
const BOXED = `
name: boxed
steps:
  - name: only
    tasks:
      - { name: once, image: "${IMAGE}", run: 'echo "here on attempt $SIGNALBOX_ATTEMPT"' }
`

describe('an engine that is away on one of two runners', { skip: withoutPodman() }, () => {
  const podmans: TestPodman[] = []
  const runners: RunnerProcess[] = []
  let house: House
  let team: Team
  before(async () => {
    house = await startHouse()
    team = await makeTeam(house.api, 'boxed')
  })
  after(async () => {
    for (const runner of runners) await runner.stop()
    await house.stop()
    for (const podman of podmans) await podman[Symbol.asyncDispose]()
  })

  const openRunner = async (name: string): Promise<TestPodman> => {
    const podman = await startPodman()
    podmans.push(podman)
    podman.makeImage(IMAGE)
    const engine = ['--container-host', podman.host, '--container-network', 'none', '--container-patience', '6']
    runners.push(await startRunner(house, { name, flags: ['--executors', 'container', ...engine] }))
    return podman
  }

  test('a task that was given to it goes to the other one, though it may not be tried again', async () => {
    const frozen = await openRunner('frozen')
    const pipeline = await makePipeline(house.api, team, BOXED)
    // The engine answers nothing. Its runner learns that only after some seconds, and is given tasks until then.
    frozen.service().kill('SIGSTOP')
    try {
      const path = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
      const { run_id: runId } = await house.api.send<{ run_id: string }>('POST', path, { scope: team.scope })
      await waitFor(
        'the runner to have found out',
        () => runLog(house.api, runId),
        (log) => log.some(({ line }) => /the task waits for it|had not begun/.test(line)),
      )
      await openRunner('sound')
      const run = await runEnd(house.api, runId)
      assert.equal(run.status, 'success', JSON.stringify(run))
      const lines = (await runLog(house.api, runId)).map(({ line }) => line)
      assert.equal(lines.filter((line) => line.startsWith('here on attempt')).join(), 'here on attempt 2')
      const detail = JSON.stringify(await house.api.get(`/v1/runs/${runId}`))
      assert.match(detail, /The container engine .* did not answer.*the task had not begun/i)
    } finally {
      frozen.service().kill('SIGCONT')
    }
  })
})
