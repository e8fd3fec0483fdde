import type { Browser } from 'playwright-core'
import { type House, startHouse } from '../house/house.ts'
import { type RunnerProcess, startRunner } from '../house/runner.ts'
import { startBrowser } from './browser.ts'
import { makeScenery, type Scenery } from './scenery.ts'
import { Seats } from './seats.ts'

/** A control plane with its scenery, and a browser: one for all test files of a process. */
export interface Stage extends Scenery {
  readonly house: House
  readonly browser: Browser
  readonly runner: RunnerProcess
  /** People at open browsers, for one test after another. */
  readonly seats: Seats
  close(): Promise<void>
}

/** The next file of the process takes the stage over within this time. */
const IDLE_MS = 2000

let stage: Promise<Stage> | undefined
let users = 0
let closing: NodeJS.Timeout | undefined

export function takeStage(): Promise<Stage> {
  clearTimeout(closing)
  users += 1
  stage ??= setUp()
  return stage
}

export function leaveStage(): void {
  users -= 1
  if (users > 0) return
  closing = setTimeout(() => {
    const left = stage
    stage = undefined
    void left?.then((begun) => begun.close())
  }, IDLE_MS)
}

async function setUp(): Promise<Stage> {
  await using opened = new AsyncDisposableStack()
  const house = opened.adopt(await startHouse(), (begun) => begun.stop())
  const browser = opened.adopt(await startBrowser(), (begun) => begun.close())
  const runner = opened.adopt(await startRunner(house, { name: 'builder', capacity: 2 }), async (begun) => {
    await cancelRuns(house)
    await begun.stop()
  })
  const scenery = await makeScenery(house)
  const seats = opened.adopt(new Seats({ browser, house, people: scenery.people }), (begun) => begun.close())
  const kept = opened.move()
  return { house, browser, runner, seats, ...scenery, close: () => kept.disposeAsync() }
}

/** A runner ends when its tasks have: those that a failed test left would last for ever. */
async function cancelRuns({ api }: House): Promise<void> {
  const running = await api.get<{ run_id: string }[]>('/v1/runs?status=running')
  for (const { run_id: id } of running) await api.ask('POST', `/v1/runs/${id}/cancel`)
}
