import assert from 'node:assert/strict'
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type House, makeDataDir, startHouse } from '../house/house.ts'
import { type RunnerProcess, startRunner } from '../house/runner.ts'
import { runEnd } from '../house/runs.ts'
import { makePipeline, makeTeam, type Team } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

describe('two runners', () => {
  const gates = makeDataDir()
  let house: House
  let team: Team
  let runners: Map<string, RunnerProcess>
  before(async () => {
    house = await startHouse({ env: { LEASE_SECONDS: '10', HEARTBEAT_SECONDS: '1' } })
    team = await makeTeam(house.api, 'workspaces')
    // Tasks write here as accounts of their own.
    chmodSync(gates, 0o777)
    runners = new Map()
    for (const name of ['one', 'two']) {
      runners.set(name, await startRunner(house, { name, capacity: 1, flags: ['--executors', 'host'] }))
    }
  })
  after(async () => {
    for (const runner of runners.values()) await runner.stop()
    await house.stop()
    rmSync(gates, { recursive: true, force: true })
  })

  async function start(document: string): Promise<string> {
    const pipeline = await makePipeline(house.api, team, `checkout: false\n${document}`)
    const path = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
    return (await house.api.send<{ run_id: string }>('POST', path, { scope: team.scope })).run_id
  }

  /** Runners of the attempts of a run, in the order of its tasks. */
  async function runnersOf(runId: string): Promise<string[]> {
    const run = await house.api.get<Placed>(`/v1/runs/${runId}`)
    const known = await house.api.get<{ id: string; name: string }[]>('/v1/runners')
    const ids = run.steps.flatMap(({ tasks }) => tasks.flatMap(({ attempts }) => attempts.map((one) => one.runner_id)))
    return ids.map((id) => known.find((runner) => runner.id === id)?.name ?? '')
  }

  test('hand files on by an artifact: one installs, and tests on both find what was installed', async () => {
    const document = `name: handed-on
steps:
  - name: install
    tasks:
      - { name: modules, run: "mkdir node_modules; echo left-pad > node_modules/index", artifacts: { paths: [node_modules] } }
  - name: test
    depends_on: [install]
    tasks:
      - { name: unit, needs_artifacts: [install.modules], run: "cat node_modules/index; until [ -e ${gates}/both ]; do sleep 0.05; done" }
      - { name: lint, needs_artifacts: [install.modules], run: "cat node_modules/index; touch ${gates}/both" }
`
    const runId = await start(document)
    const { status } = await runEnd(house.api, runId)
    assert.equal(status, 'success')
    const [, unit, lint] = await runnersOf(runId)
    assert.notEqual(unit, lint, 'each has one place')
  })

  /** The first of two tasks is over, the second is tried again in some seconds, and waits at a gate then. */
  const shared = (name: string) => `name: ${name}
steps:
  - name: build
    workspace: shared
    tasks:
      - { name: install, run: "echo left-pad > modules" }
      - name: unit
        depends_on: [install]
        retry: { attempts: 2, backoff: 3s }
        run: "cat modules; touch ${join(gates, name)}; test $SIGNALBOX_ATTEMPT = 2"
`

  test('leave a step with a shared workspace to the one that has it', async () => {
    const runId = await start(shared('stays'))
    assert.equal((await runEnd(house.api, runId)).status, 'success')
    const names = await runnersOf(runId)
    assert.equal(names.length, 3)
    assert.equal(new Set(names).size, 1, names.join(', '))
  })

  test('kill -9 of the one that has it, between two attempts: the step fails, names it and what would have saved it', async () => {
    const runId = await start(shared('lost'))
    await waitFor(
      'the first attempt of the second task to have ended',
      () => house.api.get<Placed>(`/v1/runs/${runId}`),
      (run) => existsSync(join(gates, 'lost')) && run.steps[0]?.tasks[1]?.attempts[0]?.status === 'failure',
    )
    const [holder = ''] = await runnersOf(runId)
    await runners.get(holder)?.kill('SIGKILL')
    const run = await runEnd(house.api, runId)
    assert.equal(run.status, 'failure')
    assert.match(run.reason ?? '', new RegExp(`step build share is on runner ${holder}, which was last heard of at`))
    assert.match(run.reason ?? '', /as artifacts/)
    assert.deepEqual(new Set(await runnersOf(runId)), new Set([holder, '']), 'no other runner took it')
  })
})

interface Placed {
  readonly steps: readonly {
    readonly tasks: readonly {
      readonly attempts: readonly { readonly runner_id: string | null; readonly status: string }[]
    }[]
  }[]
}
