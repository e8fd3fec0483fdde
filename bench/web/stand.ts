import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { makePipeline, makeTeam, type Team } from '../../e2e/house/team.ts'
import { startBrowser } from '../../e2e/web/browser.ts'
import { makePeople, signIn } from '../../e2e/web/people.ts'
import { type HouseUnderTest, openHouseUnderTest } from '../house-under-test.ts'
import { storeRuns } from '../load/store-runs.ts'
import { PIPELINE } from './pipeline.ts'
import { installProbe, type Wanted } from './probe.ts'

export const TEAM = 'acme'
const OTHER_TEAM = 'other'
const RUNS = 100_000
const OTHER_RUNS = 20
const SIZE = { width: 1280, height: 800 }

/** The product with 100,000 finished runs, a browser, and a person who is signed in. */
export interface Stand extends AsyncDisposable {
  readonly subject: HouseUnderTest
  readonly browser: Browser
  readonly team: Team
  /** The address of a page of the application, such as `/t/acme/runs`. */
  address(path: string): string
  /** A browser profile of its own with an empty cache; `opened` is waited for by `bench.opened` of each page. */
  openContext(opened?: Wanted): Promise<BrowserContext>
}

export async function openStand(): Promise<Stand> {
  await using opened = new AsyncDisposableStack()
  const subject = opened.use(await openHouseUnderTest())
  const { api, url } = subject.house
  const team = await makeTeam(api, TEAM)
  await makePipeline(api, team, PIPELINE)
  await makePipeline(api, await makeTeam(api, OTHER_TEAM), PIPELINE)
  await storeRuns(subject, { runs: RUNS, teams: [TEAM], rare: { team: OTHER_TEAM, runs: OTHER_RUNS } })
  const browser = opened.adopt(await startBrowser(), (begun) => begun.close())
  const people = await makePeople(api, TEAM)
  // One session for all profiles: signing in costs a hash of the password.
  const first = await browser.newContext()
  await signIn(first, url, people.owner)
  const { cookies } = await first.storageState()
  await first.close()
  const localStorage = [{ name: 'signalbox-signed-in', value: 'yes' }]
  const options: BrowserContextOptions = {
    storageState: { cookies, origins: [{ origin: url, localStorage }] },
    viewport: SIZE,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  }
  const kept = opened.move()
  return {
    subject,
    browser,
    team,
    address: (path) => `${url}/#${path}`,
    async openContext(wanted) {
      const context = await browser.newContext(options)
      await context.addInitScript(installProbe, wanted)
      return context
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
