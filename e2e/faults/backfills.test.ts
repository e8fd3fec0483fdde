import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, test } from 'node:test'
import { type House, makeDataDir, startHouse } from '../house/house.ts'
import { makePipeline, makeTeam } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

const PIPELINE = `
name: nightly
checkout: false
steps:
  - name: s
    tasks:
      - { name: t, run: "true" }
`
const INSTANTS = ['2026-01-01T02:30', '2026-01-02T02:30', '2026-01-03T02:30', '2026-01-04T02:30']
const POINT = 'schedules.backfill_before_commit'

interface Fire {
  readonly outcome: string
  readonly planned_at: string
  readonly run_id: string | null
}

// Nobody takes runs here: they wait in the queue until the test cancels them.
const dataDir = makeDataDir()
let house: House | undefined
after(async () => {
  await house?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(failPoint?: string): Promise<House> {
  house = await startHouse({ dataDir, env: failPoint === undefined ? {} : { FAIL_POINT: failPoint } })
  return house
}

test('killed with SIGKILL while instants of a backfill start, it goes on by itself and starts each of them once', async () => {
  const first = await start(POINT)
  const team = await makeTeam(first.api, 'faults')
  const { id } = await first.api.send<{ id: string }>('POST', '/v1/schedules', {
    path: team.path,
    name: 'nightly',
    pipeline: await makePipeline(first.api, team, PIPELINE),
    schedule_kind: 'recurring',
    cron_expression: '30 2 * * *',
    scope: team.scope,
    enabled: false,
  })
  const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-05T00:00:00Z', concurrency: 2 }
  // The control plane may die before it answers.
  await first.api.ask('POST', `/v1/schedules/${id}/backfill`, range).catch(() => undefined)
  assert.equal(await first.ended, 'SIGKILL', first.output())

  // Nothing of the first two is stored: they start now. With the next ones it dies again.
  const second = await start(`${POINT}:2`)
  const list = (api: House['api']) => api.get<readonly Fire[]>(`/v1/schedules/${id}/fires`)
  const started = async (api: House['api']) => (await list(api)).filter((fire) => fire.outcome === 'started')
  const two = await waitFor(
    'the first runs',
    () => started(second.api),
    (fires) => fires.length > 0,
  )
  assert.deepEqual(instantsOf(two), INSTANTS.slice(0, 2))
  for (const { run_id: run } of two) await second.api.ask('POST', `/v1/runs/${run}/cancel`, {}).catch(() => undefined)
  assert.equal(await second.ended, 'SIGKILL', second.output())

  const third = await start()
  for (const { run_id: run } of two) await third.api.ask('POST', `/v1/runs/${run}/cancel`, {})
  const all = await waitFor(
    'all runs',
    () => started(third.api),
    (fires) => fires.length === INSTANTS.length,
  )
  assert.deepEqual(instantsOf(all), INSTANTS)
  const runs = await third.api.get<readonly { run_id: string }[]>('/v1/runs?limit=500')
  assert.deepEqual(runs.map((run) => run.run_id).sort(), all.map((fire) => fire.run_id).sort(), 'no run but these')
})

function instantsOf(fires: readonly Fire[]): readonly string[] {
  return fires.map((fire) => fire.planned_at.slice(0, 16)).sort()
}
