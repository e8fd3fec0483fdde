import { setTimeout as sleep } from 'node:timers/promises'
import { makePipeline, makeTrigger } from '../e2e/house/team.ts'
import { residentMegabytes } from './cpu.ts'
import { makeUnlimitedTeam, openHouseUnderTest } from './house-under-test.ts'
import { startDeliverer } from './load/child.ts'
import type { Report } from './report.ts'

const IDLE_MS = 65_000
const DELIVERIES = 10_000
const ROUND_LIMIT_MS = 60_000
const TARGET_MB = 200

const PIPELINE = `
name: build
steps:
  - name: build
    tasks:
      - { name: compile, run: "true", checkout: false }
`

/** Resident memory of the idle control plane's process: PostgreSQL is not part of it. */
export async function benchMemory(): Promise<Report> {
  await using subject = await openHouseUnderTest()
  const { house } = subject
  await sleep(IDLE_MS)
  const fresh = residentMegabytes(house.pid)
  const quiet = await makeUnlimitedTeam(subject, 'quiet')
  const busy = await makeUnlimitedTeam(subject, 'busy')
  await makeTrigger(house.api, busy, 'on-push', await makePipeline(house.api, busy, PIPELINE))
  const load = await startDeliverer()
  try {
    const after: number[] = []
    for (const team of [quiet, busy]) {
      const path = `/v1/git/webhooks/${team.sourceId}`
      const round = {
        port: subject.port,
        path,
        secret: team.webhookSecret,
        connections: 64,
        ...(team === busy ? { distinct: DELIVERIES } : {}),
      }
      const { answered } = await load.play({ ...round, durationMs: ROUND_LIMIT_MS, count: DELIVERIES })
      if (answered !== DELIVERIES) throw new Error(`Only ${answered} of ${DELIVERIES} deliveries were answered in time`)
      await sleep(IDLE_MS)
      after.push(residentMegabytes(house.pid))
    }
    const figure = (what: string, value: number | undefined) => ({
      what,
      value: value ?? 0,
      unit: 'MB',
      atMost: TARGET_MB,
    })
    return {
      name: 'memory',
      says: `resident memory of the control plane, idle for ${IDLE_MS / 1000} s, without PostgreSQL`,
      figures: [
        figure('after the start', fresh),
        figure(`after ${DELIVERIES} deliveries that match nothing`, after[0]),
        figure(`after ${DELIVERIES} more that each queue a run`, after[1]),
      ],
    }
  } finally {
    await load.stop()
  }
}
