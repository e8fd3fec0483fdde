import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { makePipeline, makeTeam, type Team } from '../../e2e/house/team.ts'
import { startBrowser, startProfile } from '../../e2e/web/browser.ts'
import { makePeople, rememberSignIn, SIGNED_IN, signIn } from '../../e2e/web/people.ts'
import { type HouseUnderTest, openHouseUnderTest } from '../house-under-test.ts'
import { storeRuns } from '../load/store-runs.ts'
import { PIPELINE } from './pipeline.ts'
import { installProbe, type Wanted } from './probe.ts'

export const TEAM = 'acme'
const OTHER_TEAM = 'other'
const RUNS = 100_000
const OTHER_RUNS = 20
export const SIZE = { width: 1280, height: 800 }

/** The product with 100,000 finished runs, a browser, and a person who is signed in. */
export interface Stand extends AsyncDisposable {
  readonly subject: HouseUnderTest
  readonly browser: Browser
  readonly team: Team
  /** The address of a page of the application, such as `/t/acme/runs`. */
  address(path: string): string
  /** A browser profile of its own with an empty cache; `opened` is waited for by `bench.opened` of each page. */
  openContext(opened?: Wanted): Promise<BrowserContext>
  /** A browser of its own with its profile on disk, as people have it: the person is signed in. */
  openProfile(opened?: Wanted): Promise<Profile>
}

export interface Profile extends AsyncDisposable {
  readonly context: BrowserContext
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
  const looks = { viewport: SIZE, locale: 'en-GB', timezoneId: 'Europe/Berlin' } as const
  const options: BrowserContextOptions = {
    storageState: { cookies, origins: [{ origin: url, localStorage: [SIGNED_IN] }] },
    ...looks,
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
    async openProfile(wanted) {
      await using begun = new AsyncDisposableStack()
      const folder = await mkdtemp(join(tmpdir(), 'signalbox-profile-'))
      begun.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
      const context = begun.adopt(await startProfile(folder, looks), (each) => each.close())
      await context.addCookies(cookies)
      const page = await context.newPage()
      await page.goto(url)
      await page.evaluate(rememberSignIn, SIGNED_IN)
      await page.close()
      await context.addInitScript(installProbe, wanted)
      const all = begun.move()
      return { context, [Symbol.asyncDispose]: () => all.disposeAsync() }
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
