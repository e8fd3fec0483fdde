import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { House } from '../house/house.ts'
import { findOverflow } from './layout.ts'
import { type People, type PersonName, SIGNED_IN, signIn } from './people.ts'
import { watchRequests } from './settle.ts'
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

const PICTURES = join(import.meta.dirname, '.failures')
/** An action of the browser, and a wait for a state. */
const PATIENCE_MS = 45_000

/** What a visit needs: a browser, a control plane, and who can sign in there. */
export interface Premises {
  readonly browser: Browser
  readonly house: Pick<House, 'url'>
  readonly people: Partial<People>
}

/** A context with a session of that person, whose pages know that somebody has signed in. */
export async function openContext(premises: Premises, options: VisitOptions): Promise<BrowserContext> {
  // Playwright opens a page of that origin for it, which takes as long as all else here.
  const origins = [{ origin: premises.house.url, localStorage: [...rememberedOf(options)] }]
  return beginContext(premises, options, { storageState: { cookies: [], origins } })
}

/** A context with a session of that person, whose pages do not know that yet. */
export async function beginContext(
  premises: Premises,
  { as, size, scheme }: VisitOptions,
  further: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await premises.browser.newContext({
    viewport: size ?? WIDE,
    colorScheme: scheme ?? 'light',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    ...further,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  if (as) await signInAs(context, premises, as)
  return context
}

/** What the browser of somebody who has signed in keeps in its local storage. */
export function rememberedOf({ as }: VisitOptions): readonly (typeof SIGNED_IN)[] {
  return as ? [SIGNED_IN] : []
}

export async function signInAs(
  context: BrowserContext,
  { house, people }: Pick<Premises, 'house' | 'people'>,
  as: PersonName,
): Promise<void> {
  const person = people[as]
  assert.ok(person, `${as} can sign in there`)
  await signIn(context, house.url, person)
}

/** A page that somebody opened, and what watches it. */
export interface OpenPage extends Visit {
  /** What happened and no page may have. */
  findFaults(): Promise<readonly string[]>
  /** What happened until now is no fault of what comes, and what was expected is no more. */
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

/** What a person does at a page, which then has no fault that one does not see, and does not scroll sideways. */
export async function tellStory(opened: OpenPage, story: (visit: Visit) => Promise<void>): Promise<void> {
  await tellFailure(opened, async () => {
    await story(opened)
    assert.deepEqual(await opened.findFaults(), [], 'the page made no fault that a person does not see')
    assert.deepEqual(await findOverflow(opened.page), [], 'the page does not scroll sideways')
  })
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
