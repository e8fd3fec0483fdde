import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startRunner } from '../e2e/house/runner.ts'
import { runEnd, runLog } from '../e2e/house/runs.ts'
import { makePipeline, makeTrigger } from '../e2e/house/team.ts'
import { waitFor } from '../e2e/house/wait.ts'
import { type HouseUnderTest, makeUnlimitedTeam, openHouseUnderTest } from './house-under-test.ts'
import { connectTo } from './load/keep-alive-client.ts'
import { pushRequests } from './load/push-requests.ts'
import type { Figure, Report } from './report.ts'
import { percentile } from './stats.ts'

const DELIVERIES = 200
const WARM_UP = 20
const IDLE_MS = 40

// The shell becomes `date`, so that the task's process stamps the time first of all. The figure holds the start of the
// shell and one exec, and is never less than the time to the process's start.
const PIPELINE = `
name: stamp
steps:
  - name: stamp
    tasks:
      - { name: stamp, run: exec date +%s%N, checkout: false }
`

interface Sample {
  /** The same command started by this process, to its first instruction: the machine's own part at that moment. */
  readonly bareMs: number
  /** From before the POST is written until ..., ms */
  readonly answeredMs: number
  readonly startedMs: number
  readonly instructionMs: number
}

/** From an idle product's POST to the first instruction of the task's process, one delivery after the other. */
export async function benchLatency(): Promise<Report> {
  await using subject = await openHouseUnderTest()
  const { api } = subject.house
  const team = await makeUnlimitedTeam(subject, 'latency')
  await makeTrigger(api, team, 'on-push', await makePipeline(api, team, PIPELINE))
  const runner = await startRunner(subject.house, { capacity: 2 })
  const client = await connectTo(subject.port)
  const path = `/v1/git/webhooks/${team.sourceId}`
  const requests = pushRequests({ port: subject.port, path, secret: team.webhookSecret }, DELIVERIES + WARM_UP)
  try {
    const samples: Sample[] = []
    for (const { bytes, setDeliveryId } of requests) {
      const deliveryId = crypto.randomUUID()
      setDeliveryId(deliveryId)
      const bareMs = await bareStart()
      await sleep(IDLE_MS)
      const posted = wallClockMs()
      const status = await client.send(bytes)
      const answeredMs = wallClockMs() - posted
      if (status !== 202) throw new Error(`The delivery was answered with ${status}`)
      samples.push({ bareMs, answeredMs, ...(await stampsOf(subject, deliveryId, posted)) })
    }
    const measured = samples.slice(WARM_UP)
    return {
      name: 'latency',
      says: `idle, from the POST of a delivery, ${DELIVERIES} one by one`,
      figures: [
        ...figuresOf('a bare start of the same command', measured, (sample) => sample.bareMs),
        ...figuresOf('to the answer', measured, (sample) => sample.answeredMs),
        ...figuresOf(
          "to the process's start as the runner tells it (whole ms)",
          measured,
          (sample) => sample.startedMs,
        ),
        ...figuresOf("to the task's first instruction", measured, (sample) => sample.instructionMs, [12, 40]),
      ],
    }
  } finally {
    client.close()
    await runner.stop()
  }
}

async function bareStart(): Promise<number> {
  const started = wallClockMs()
  const { stdout } = await promisify(execFile)('/bin/sh', ['-e', '-c', 'exec date +%s%N'])
  return Number(stdout) / 1e6 - started
}

async function stampsOf(subject: HouseUnderTest, deliveryId: string, posted: number) {
  const { api } = subject.house
  // Not while the run starts: the question itself would be in the way.
  await sleep(IDLE_MS)
  const [delivery] = await subject.query<{ run_ids: string[] }>(
    'select run_ids from deliveries where delivery_id = $1',
    [deliveryId],
  )
  const runId = delivery?.run_ids[0] ?? ''
  const run = await runEnd(api, runId)
  if (run.status !== 'success') throw new Error(`The run ended with ${run.status}: ${JSON.stringify(run)}`)
  const [line] = await waitFor(
    'the stamp in the log',
    () => runLog(api, runId),
    (lines) => lines.length > 0,
  )
  const [attempt] = await subject.query<{ started_at: Date }>('select started_at from attempts where run_id = $1', [
    runId,
  ])
  return {
    startedMs: (attempt?.started_at.getTime() ?? Number.NaN) - posted,
    instructionMs: Number(line?.line) / 1e6 - posted,
  }
}

/**
 * Unix time in ms with its fraction. Node's own wall clock has whole ms only, and `performance.timeOrigin` does not
 * follow an adjusted clock. The fraction therefore comes from waiting for the next whole ms.
 */
function wallClockMs(): number {
  const now = performance.now()
  if (offset === undefined || now - offset.at > OFFSET_HOLDS_MS) offset = readOffset()
  return performance.now() + offset.ms
}

const OFFSET_HOLDS_MS = 500
let offset: { readonly ms: number; readonly at: number } | undefined

function readOffset(): { ms: number; at: number } {
  const first = Date.now()
  while (Date.now() === first);
  return { ms: Date.now() - performance.now(), at: performance.now() }
}

function figuresOf(
  what: string,
  samples: readonly Sample[],
  pick: (sample: Sample) => number,
  targets?: readonly [number, number],
): Figure[] {
  const values = samples.map(pick)
  return [
    { what: `${what}, p50`, value: percentile(values, 0.5), unit: 'ms', ...(targets ? { atMost: targets[0] } : {}) },
    { what: `${what}, p99`, value: percentile(values, 0.99), unit: 'ms', ...(targets ? { atMost: targets[1] } : {}) },
  ]
}
