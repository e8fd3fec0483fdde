import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { type Api, createApi } from '../house/api.ts'
import { furnish } from '../house/data-folder.ts'
import { ADMIN_TOKEN, makeDataDir } from '../house/house.ts'
import { runLog } from '../house/runs.ts'
import { surroundings } from '../house/surroundings.ts'
import { makePipeline, makeTeam } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

const BIN = join(import.meta.dirname, '../../cli/bin/signalbox.mjs')
const STUBBORN = `
name: stubborn
steps:
  - name: wait
    tasks:
      - { name: long, run: "trap '' TERM; echo begun; while true; do sleep 0.1; done" }
`

interface Up {
  readonly child: ChildProcess
  readonly ended: Promise<void>
  readonly api: Api
}

async function up(dataDir: string): Promise<Up> {
  const [port, runnerPort] = [await freePort(), await freePort()]
  const flags = ['--data-dir', dataDir, '--port', String(port), '--runner-port', String(runnerPort), '--no-page']
  const child = spawn(process.execPath, [BIN, 'up', ...flags], {
    cwd: dataDir,
    env: { ...surroundings, HOME: dataDir, BOOTSTRAP_ADMIN_TOKEN: ADMIN_TOKEN },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const api = createApi(`http://127.0.0.1:${port}`, ADMIN_TOKEN)
  await waitFor(
    'a connected runner',
    () => api.get<{ connected: boolean }[]>('/v1/runners'),
    (runners) => runners.some((runner) => runner.connected),
  ).catch((error: unknown) => {
    throw new Error(`\`signalbox up\` said:\n${output}`, { cause: error })
  })
  return { child, ended, api }
}

describe('signalbox up, killed with SIGKILL while a task runs that ignores SIGTERM', () => {
  const dataDir = makeDataDir()
  furnish(dataDir)
  let product: Up | undefined
  after(async () => {
    if (product) {
      product.child.kill('SIGTERM')
      await product.ended
    }
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('leaves nothing that keeps the next start, on other ports, from having its runner', async () => {
    product = await up(dataDir)
    const team = await makeTeam(product.api, 'acme')
    const pipeline = await makePipeline(product.api, team, STUBBORN)
    const path = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
    const { run_id: runId } = await product.api.send<{ run_id: string }>('POST', path, { scope: team.scope })
    const { api } = product
    await waitFor(
      'the task to have begun',
      () => runLog(api, runId),
      (log) => log.length > 0,
    )
    product.child.kill('SIGKILL')
    await product.ended
    product = await up(dataDir)
    const runs = await product.api.get<{ run_id: string }[]>('/v1/runs')
    assert.deepEqual(
      runs.map((run) => run.run_id),
      [runId],
      'the run is still known',
    )
  })
})
