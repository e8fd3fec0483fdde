import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type House, startHouse } from '../house/house.ts'
import { onOwnDisk, withoutOwnDisk } from '../house/own-disk.ts'
import { makeWorkDir, type RunnerProcess, startRunner } from '../house/runner.ts'
import { runEnd, runLog } from '../house/runs.ts'
import { makePipeline, makeTeam, type Team } from '../house/team.ts'

const GREEDY = `name: greedy
checkout: false
steps:
  - name: fill
    tasks:
      - { name: all, run: "echo begun; head -c 64M /dev/zero > ballast; echo never" }
`
const MODEST = `name: modest
checkout: false
steps:
  - name: write
    tasks:
      - { name: little, run: "head -c 1M /dev/zero > little; echo written" }
`

describe('the disk of a runner is full', { skip: withoutOwnDisk }, () => {
  const workDir = makeWorkDir()
  let house: House
  let runner: RunnerProcess
  let team: Team
  before(async () => {
    house = await startHouse()
    team = await makeTeam(house.api, 'full')
    const own = { within: onOwnDisk('8m', 'WORK_DIR'), env: { WORK_DIR: workDir }, newWorkDir: join(workDir, 'work') }
    runner = await startRunner(house, { ...own, capacity: 1, flags: ['--executors', 'host'] })
  })
  after(async () => {
    await runner.stop()
    await house.stop()
    rmSync(workDir, { recursive: true, force: true })
  })

  async function start(document: string): Promise<string> {
    const pipeline = await makePipeline(house.api, team, document)
    const path = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
    return (await house.api.send<{ run_id: string }>('POST', path, { scope: team.scope })).run_id
  }

  test('a task that fills it fails and says so; the same runner takes the next one', async () => {
    const greedy = await start(GREEDY)
    const run = await runEnd(house.api, greedy)
    assert.equal(run.status, 'failure', JSON.stringify(run))
    assert.deepEqual([run.steps[0]?.tasks[0]?.status, run.steps[0]?.tasks[0]?.attempt], ['failure', 1])
    const lines = (await runLog(house.api, greedy)).map(({ line }) => line)
    assert.equal(lines[0], 'begun')
    assert.ok(
      lines.some((line) => /no space left on device/i.test(line)),
      lines.join('\n'),
    )
    assert.ok(!lines.includes('never'))
    const modest = await start(MODEST)
    assert.equal((await runEnd(house.api, modest)).status, 'success')
  })
})
