import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { makePipeline, makeTrigger, type Team } from '../../e2e/house/team.ts'
import { startBrowser } from '../../e2e/web/browser.ts'
import { makePeople, type Person, rememberSignIn, SIGNED_IN, signIn } from '../../e2e/web/people.ts'
import { type HouseUnderTest, makeUnlimitedTeam, openHouseUnderTest } from '../house-under-test.ts'
import { type Deliverer, type Pages, startDeliverer, startPages } from '../load/child.ts'
import type { OpenPage } from '../load/open-pages.ts'
import { storeRuns } from '../load/store-runs.ts'
import { makeViewer } from '../load/viewer.ts'
import { PIPELINE } from './pipeline.ts'

export const PAGES = Number(process.env['SIGNALBOX_BENCH_PAGES'] ?? 200)
export const TABS = 3
const TEAM = 'acme'
export const VIEWERS = 10
export const RUNS = 100_000
/** A list of runs gathers changes for so long. */
const GATHER_MS = 200
const SETTLED_MS = 500
export const FOLLOWED_RUNS = 25

export interface Stand {
  readonly subject: HouseUnderTest
  readonly teams: { readonly quiet: Team; readonly busy: Team }
  readonly pages: Pages
  readonly load: Deliverer
  readonly plans: readonly OpenPage[]
  /** Runs that are followed. */
  readonly runIds: readonly string[]
  readonly browser: Browser
  readonly person: Person
}

export async function openStand(opened: AsyncDisposableStack): Promise<Stand> {
  const subject = opened.use(await openHouseUnderTest())
  const { api } = subject.house
  await api.send('POST', '/v1/teams', { path: TEAM })
  const quiet = await makeUnlimitedTeam(subject, `${TEAM}/quiet`)
  const busy = await makeUnlimitedTeam(subject, `${TEAM}/busy`)
  const pipeline = await makePipeline(api, busy, PIPELINE)
  await makeTrigger(api, busy, 'on-push', pipeline)
  await storeRuns(subject, { runs: RUNS, teams: [busy.path], rare: { team: busy.path, runs: 1 } })
  const runIds: string[] = []
  for (let count = 0; count < FOLLOWED_RUNS; count++) {
    const run = await api.send<{ run_id: string }>('POST', `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`, {})
    runIds.push(run.run_id)
  }
  const tokens: string[] = []
  for (let count = 0; count < VIEWERS; count++) tokens.push(await makeViewer(subject, TEAM, `viewer-${count}`))
  const plans = Array.from({ length: PAGES - TABS }, (_, at): OpenPage => {
    const token = tokens[at % VIEWERS] ?? ''
    return { token, ...planOf(at, runIds[at % FOLLOWED_RUNS] ?? '', quiet.sourceId) }
  })
  const pages = opened.adopt(await startPages(), (begun) => begun.stop())
  const load = opened.adopt(await startDeliverer(), (begun) => begun.stop())
  const browser = opened.adopt(await startBrowser(), (begun) => begun.close())
  const people = await makePeople(api, TEAM)
  return { subject, teams: { quiet, busy }, pages, load, plans, runIds, browser, person: people.viewer }
}

/** As the page follows and reads: of ten pages four are homes, four are lists of runs, one a run, one a source. */
function planOf(at: number, runId: string, sourceId: string): Omit<OpenPage, 'token'> {
  switch (at % 10) {
    case 8:
      return { topics: [`run:${runId}`], reads: [`/v1/runs/${runId}`] }
    case 9:
      return { topics: [`deliveries:${sourceId}`], reads: [`/v1/git-webhook-sources/${sourceId}/deliveries`] }
    default:
      return at % 2 === 0
        ? {
            topics: [`runs:${TEAM}`, `schedules:${TEAM}`, 'approvals', 'runners'],
            reads: [`/v1/teams/${TEAM}/counts`],
          }
        : { topics: [`runs:${TEAM}`], reads: [`/v1/runs?teamId=${TEAM}`], gatherMs: GATHER_MS }
  }
}

export interface OpenedPages {
  /** A change reaches the tabs. */
  requireLive(): Promise<void>
  close(): Promise<void>
}

export async function openPages(stand: Stand): Promise<OpenedPages> {
  const { subject, pages, browser, person, runIds } = stand
  const { url, api } = subject.house
  const clients = await openClients(stand, true)
  const context = await browser.newContext()
  await signIn(context, url, person)
  await context.addInitScript(rememberSignIn, SIGNED_IN)
  const tabs = await Promise.all(
    [`/t/${TEAM}/home`, `/t/${TEAM}/runs`, `/runs/${runIds[0]}`].map(async (path) => {
      const tab = await context.newPage()
      await tab.goto(`${url}/#${path}`)
      await tab.locator('h1').first().waitFor()
      return tab
    }),
  )
  await settle(pages)
  return {
    async requireLive() {
      await api.send('POST', `/v1/runs/${runIds[0]}/cancel`, {})
      await tabs[2]?.getByText('canceled').first().waitFor()
    },
    async close() {
      await context.close()
      await clients.close()
    },
  }
}

/** Those outside a browser; where they do not read, what is left is the cost of their streams. */
export async function openClients(
  { subject, pages, plans }: Stand,
  isReading: boolean,
): Promise<Pick<OpenedPages, 'close'>> {
  await pages.open(
    subject.house.url,
    plans.map((plan) => (isReading ? plan : { ...plan, reads: [] })),
  )
  return {
    async close() {
      await pages.close()
      await pages.report()
    },
  }
}

/** What a page reads first is no part of any figure. */
async function settle(pages: Pages): Promise<void> {
  do await sleep(SETTLED_MS)
  while ((await pages.report()).reads > 0)
}
