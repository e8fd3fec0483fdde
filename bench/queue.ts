import { setTimeout as sleep } from 'node:timers/promises'
import { startRunner } from '../e2e/house/runner.ts'
import { runEnd } from '../e2e/house/runs.ts'
import { makePipeline, makeTeam, type Team } from '../e2e/house/team.ts'
import { type HouseUnderTest, openHouseUnderTest } from './house-under-test.ts'
import { storeQueued } from './load/store-queued.ts'
import type { Report } from './report.ts'
import { median, percentile } from './stats.ts'

const QUEUED = [0, 10_000, 100_000] as const
const RUNS = 60
const ROUNDS = 3
const PAUSE_MS = 25
/** Of the time without a queue. */
const FLAT = 1.5

const PIPELINE = `
name: small
steps:
  - name: only
    tasks:
      - { name: only, run: "true", checkout: false }
`

/** From the request to the task's start, while other runs wait for a runner that does not come. */
export async function benchQueue(): Promise<Report> {
  await using subject = await openHouseUnderTest()
  const team = await makeTeam(subject.house.api, 'queue')
  const pipeline = await makePipeline(subject.house.api, team, PIPELINE)
  const runner = await startRunner(subject.house, { capacity: 2 })
  try {
    await measure(subject, team, pipeline)
    const times = new Map<number, number[]>()
    let stored = 0
    for (const queued of QUEUED) {
      await storeQueued(subject, pipeline, queued - stored)
      stored = queued
      // The first look at a new lane is not measured.
      await measure(subject, team, pipeline)
      for (let round = 0; round < ROUNDS; round++) {
        times.set(queued, [...(times.get(queued) ?? []), ...(await measure(subject, team, pipeline))])
      }
    }
    const empty = median(times.get(0) ?? [])
    return {
      name: 'queue',
      says: `from the request to the start of the task, ${RUNS * ROUNDS} one by one, while others wait for a runner`,
      figures: QUEUED.flatMap((queued) => {
        const of = times.get(queued) ?? []
        const what = `${queued.toLocaleString('en')} queued runs`
        return [
          { what: `${what}, p50`, value: median(of), unit: 'ms' },
          { what: `${what}, p99`, value: percentile(of, 0.99), unit: 'ms' },
          ...(queued === 0
            ? []
            : [{ what: `${what}, p50`, value: median(of) / empty, unit: 'of that without', atMost: FLAT }]),
        ]
      }),
    }
  } finally {
    await runner.stop()
  }
}

async function measure(subject: HouseUnderTest, team: Team, pipeline: string): Promise<number[]> {
  const { api } = subject.house
  const path = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const started = await api.send<{ run_id: string }>('POST', path, { scope: team.scope })
    const ended = await runEnd(api, started.run_id)
    if (ended.status !== 'success') throw new Error(`The run ended with ${ended.status}`)
    const [row] = await subject.query<{ ms: number }>(WAITED, [started.run_id])
    times.push(row?.ms ?? Number.NaN)
    await sleep(PAUSE_MS)
  }
  return times
}

/**
 * The control plane's clock tells both times. The runner tells the start of the process in whole ms, so its lease is
 * taken.
 */
const WAITED = `
  select extract(epoch from min(attempts.leased_at) - runs.queued_at)::float8 * 1000 as ms
  from runs join attempts on attempts.run_id = runs.id where runs.id = $1 group by runs.id`
