import type { BrowserContext, Clock, Cookie, Page } from 'playwright-core'
import { resize } from './layout.ts'
import {
  beginContext,
  type OpenPage,
  openWatched,
  type Premises,
  rememberedOf,
  signInAs,
  tellFailure,
  tellStory,
  type Visit,
  type VisitOptions,
  WIDE,
} from './open-page.ts'
import type { PersonName } from './people.ts'

/** One person at a browser context of their own. */
interface Seat {
  readonly opened: OpenPage
  /** Of the session. */
  cookies: readonly Cookie[]
  /** A test has changed the browser for good, so nobody else takes the seat. */
  isSpent: boolean
}

/** What a test may do to a page, a context or its clock that no call takes back. */
const LASTING = ['addInitScript', 'exposeBinding', 'exposeFunction', 'install']
/** A small document of the control plane, in which nothing happens. */
const REST = '/icon.svg'

/**
 * People who keep their browser open: to begin a browser context and to sign in takes twice as long as to load the application again.
 * Between two tests a seat is at rest, or at a page of the application that leaves nothing behind.
 */
export class Seats {
  readonly #premises: Premises
  readonly #free = new Map<PersonName | 'nobody', Seat[]>()

  constructor(premises: Premises) {
    this.#premises = premises
  }

  /** One person looks at one page of the application, and comes from another one. Null is nobody. */
  async visit(as: PersonName | null, path: string, look: (opened: OpenPage) => Promise<void>): Promise<void> {
    const options = as === null ? {} : { as }
    await this.#use(options, async (seat) => {
      const { opened } = seat
      // What nobody's pages show depends on whether one has just come.
      const isThere = as !== null && new URL(opened.page.url()).pathname === '/'
      if (isThere) opened.forgetFaults()
      else await this.#renew(seat, options)
      await tellFailure(opened, async () => {
        if (isThere) await goTo(opened.page, path)
        else await opened.open(path)
        await look(opened)
      })
    })
  }

  /** One person, at a page with nothing in it yet; nothing of what others did before is left. */
  async begin(options: VisitOptions, story: (visit: Visit) => Promise<void>): Promise<void> {
    await this.#use(options, async (seat) => {
      await this.#renew(seat, options)
      await tellStory(seat.opened, story)
    })
  }

  /** All leave the application, and what tests did to their browsers is taken back. */
  async rest(): Promise<void> {
    for (const seat of [...this.#free.values()].flat()) await this.#rest(seat)
  }

  async close(): Promise<void> {
    for (const { opened } of [...this.#free.values()].flat()) await opened.context.close()
    this.#free.clear()
  }

  async #add(options: VisitOptions): Promise<Seat> {
    const context = await beginContext(this.#premises, options)
    const opened = await openWatched(this.#premises, context)
    const seat: Seat = { opened, cookies: await context.cookies(), isSpent: false }
    for (const target of [context, opened.page, context.clock]) noteLasting(target, () => (seat.isSpent = true))
    return seat
  }

  /** After a failure nobody takes the seat again: its state may be the cause. */
  async #use(options: VisitOptions, act: (seat: Seat) => Promise<void>): Promise<void> {
    const free = this.#freeFor(options.as ?? 'nobody')
    const seat = free.pop() ?? (await this.#add(options))
    try {
      await act(seat)
    } catch (error) {
      seat.isSpent = true
      throw error
    } finally {
      if (seat.isSpent) await seat.opened.context.close()
      else free.push(seat)
    }
  }

  /** Leaves the application, and takes back what a test did to the browser. */
  async #rest({ opened: { page, context, forgetFaults } }: Seat): Promise<void> {
    for (const other of context.pages()) if (other !== page) await other.close()
    for (const routed of [page, context]) await routed.unrouteAll({ behavior: 'ignoreErrors' })
    page.removeAllListeners('dialog')
    await context.clearPermissions()
    await page.goto(this.#premises.house.url + REST)
    await page.mouse.move(-1, -1)
    forgetFaults()
  }

  /** The size and the colours that are wanted, and the session and the memory of somebody who has just signed in. */
  async #renew(seat: Seat, options: VisitOptions): Promise<void> {
    const { context, page } = seat.opened
    await this.#rest(seat)
    await resize(page, options.size ?? WIDE)
    await page.emulateMedia({ colorScheme: options.scheme ?? 'light' })
    await context.clearCookies()
    await context.addCookies([...seat.cookies])
    if (options.as && !(await hasSession(context, this.#premises.house.url))) {
      await signInAs(context, this.#premises, options.as)
      seat.cookies = await context.cookies()
    }
    await page.evaluate((entries) => {
      localStorage.clear()
      sessionStorage.clear()
      for (const { name, value } of entries) localStorage.setItem(name, value)
    }, rememberedOf(options))
  }

  #freeFor(who: PersonName | 'nobody'): Seat[] {
    const free = this.#free.get(who) ?? []
    this.#free.set(who, free)
    return free
  }
}

/** A test may have ended it. */
async function hasSession(context: BrowserContext, url: string): Promise<boolean> {
  return (await context.request.get(`${url}/v1/auth/me`)).ok()
}

/** Tells when a test calls what lasts. */
function noteLasting(target: Page | BrowserContext | Clock, tell: () => void): void {
  for (const name of LASTING) {
    const own: unknown = Reflect.get(target, name)
    if (typeof own !== 'function') continue
    const value = (...words: unknown[]): unknown => {
      tell()
      return Reflect.apply(own, target, words)
    }
    Object.defineProperty(target, name, { value })
  }
}

/** Changes the address within the application, and waits for the heading of the next page. */
async function goTo(page: Page, path: string): Promise<void> {
  const here = new URL(page.url()).hash.slice(1)
  // A page that is shown already, of another object or with another tab, keeps its heading and its state.
  if (roomOf(here) === roomOf(path)) await changeHash(page, roomOf(path) === 'preferences' ? '/roles' : '/preferences')
  await changeHash(page, path)
}

/** The first part of the address that names no team. */
function roomOf(path: string): string | undefined {
  return /^\/(?:t\/[^/]+\/)?([^/?]*)/.exec(path)?.[1]
}

async function changeHash(page: Page, path: string): Promise<void> {
  await page.evaluate((hash) => {
    document.adoptedStyleSheets = []
    for (const heading of document.querySelectorAll('h1')) heading.dataset['left'] = ''
    location.hash = hash
  }, path)
  await page.locator('h1:not([data-left])').waitFor()
}
