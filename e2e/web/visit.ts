import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import type { House } from '../house/house.ts'
import { whyNoBrowser } from './browser.ts'
import { findOverflow } from './layout.ts'
import { type PersonName, signIn } from './people.ts'
import { watchRequests } from './settle.ts'
import { leaveStage, type Stage, takeStage } from './stage.ts'
import { watch } from './watcher.ts'

export const WIDE = { width: 1280, height: 800 }
export const PHONE = { width: 380, height: 800 }

export interface VisitOptions {
  /** Who is signed in; nobody without it. */
  readonly as?: PersonName
  /** Default: 1280 px. */
  readonly size?: { readonly width: number; readonly height: number }
  /** Default: light. */
  readonly scheme?: 'light' | 'dark'
}

/** A person at a page. */
export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** Opens an address of the page, such as `/t/acme/runs`, and waits for its heading. */
  open(path: string): Promise<void>
  /** Waits until the page has every answer that it asked for. */
  settle(): Promise<void>
  /** What may happen in this test: `answer: GET /v1/... 404`, `console error: ...`, `policy: ...`. */
  expect(pattern: RegExp): void
}

export interface Web {
  /** The house, the browser and what is in them; while a test runs. */
  readonly stage: Stage
  /**
   * A browser context of its own for one person. After `story` the page must not have said a word on the console, been
   * refused anything, or scroll sideways.
   */
  visit(options: VisitOptions, story: (visit: Visit) => Promise<void>): Promise<void>
}

const PICTURES = join(import.meta.dirname, '.failures')
/** An action of the browser, and a wait for a state. */
const PATIENCE_MS = 45_000

/** Tests in a real browser before a real control plane; skipped, with the reason, where there is no browser. */
export function describeWeb(name: string, tests: (web: Web) => void, { concurrency = 1 } = {}): void {
  describe(name, { skip: whyNoBrowser(), concurrency }, () => {
    let stage: Stage | undefined
    before(async () => {
      stage = await takeStage()
    })
    tests({
      get stage() {
        assert.ok(stage, 'the stage is there while a test runs')
        return stage
      },
      async visit(options, story) {
        await visit(this.stage, options, story)
      },
    })
    // What the tests tidy up at their end needs the stage.
    after(leaveStage)
  })
}

/** What a visit needs of a stage. */
export interface Premises extends Pick<Stage, 'browser' | 'people'> {
  readonly house: Pick<House, 'url'>
}

/** A context with a session of that person. */
export async function openContext(
  { browser, house, people }: Premises,
  options: VisitOptions,
): Promise<BrowserContext> {
  // What the page remembers of a sign-in: without it the page asks for the password before anything else.
  const localStorage = options.as ? [{ name: 'signalbox-signed-in', value: 'yes' }] : []
  const context = await browser.newContext({
    storageState: { cookies: [], origins: [{ origin: house.url, localStorage }] },
    viewport: options.size ?? WIDE,
    colorScheme: options.scheme ?? 'light',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(PATIENCE_MS)
  if (options.as) await signIn(context, house.url, people[options.as])
  return context
}

/** A page that somebody opened, and what watches it. */
export interface OpenPage extends Visit {
  /** What happened and no page may have. */
  findFaults(): Promise<readonly string[]>
  /** What happened until now is no fault of what comes. */
  forgetFaults(): void
}

/** A new page in the context, watched from its first moment. */
export async function openWatched(stage: Pick<Premises, 'house'>, context: BrowserContext): Promise<OpenPage> {
  const page = await context.newPage()
  const watcher = await watch(page)
  return {
    page,
    context,
    settle: watchRequests(page),
    expect: watcher.expect,
    async open(path) {
      await page.goto(`${stage.house.url}/#${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
    async findFaults() {
      // The browser tells a refusal by an event, which comes later than its cause.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      return watcher.faults()
    },
    forgetFaults: watcher.forget,
  }
}

/** As `Web.visit`, before another control plane than that of the stage. */
export async function visit(
  stage: Premises,
  options: VisitOptions,
  story: (visit: Visit) => Promise<void>,
): Promise<void> {
  const context = await openContext(stage, options)
  try {
    const opened = await openWatched(stage, context)
    await tellFailure(opened, async () => {
      await story(opened)
      assert.deepEqual(await opened.findFaults(), [], 'the page made no fault that a person does not see')
      assert.deepEqual(await findOverflow(opened.page), [], 'the page does not scroll sideways')
    })
  } finally {
    await context.close()
  }
}

/** A failure says where it was, has a picture, and names what happened besides. */
export async function tellFailure(opened: OpenPage, story: () => Promise<void>): Promise<void> {
  try {
    await story()
  } catch (error) {
    const faults = await opened.findFaults().catch(() => [])
    throw new Error(await describeFailure(opened.page, error, faults), { cause: error })
  }
}

async function describeFailure(page: Page, error: unknown, faults: readonly string[]): Promise<string> {
  mkdirSync(PICTURES, { recursive: true })
  const picture = join(PICTURES, `${Date.now()}.png`)
  await page.screenshot({ path: picture }).catch(() => undefined)
  const said = error instanceof Error ? error.message : String(error)
  return [said, `${page.url()}, as in ${picture}`, ...faults].join('\n')
}
