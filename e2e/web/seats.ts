import type { Page } from 'playwright-core'
import type { PersonName } from './people.ts'
import type { Stage } from './stage.ts'
import { type OpenPage, openContext, openWatched, tellFailure } from './visit.ts'

/**
 * People who keep the application open and go from page to page, as a person does: to sign in and to load the
 * application takes longer than to look at a page. What they do one after another must leave nothing behind.
 */
export class Seats {
  readonly #stage: () => Stage
  readonly #free = new Map<PersonName, OpenPage[]>()

  constructor(stage: () => Stage) {
    this.#stage = stage
  }

  /** One person, null for nobody, looks at one page. */
  async visit(as: PersonName | null, path: string, look: (opened: OpenPage) => Promise<void>): Promise<void> {
    const opened = await this.#take(as, path)
    try {
      await tellFailure(opened, () => look(opened))
    } catch (error) {
      await opened.context.close()
      throw error
    }
    // What nobody's pages show depends on whether one has just come.
    if (as === null) await opened.context.close()
    else this.#freeFor(as).push(opened)
  }

  async close(): Promise<void> {
    for (const opened of [...this.#free.values()].flat()) await opened.context.close()
    this.#free.clear()
  }

  async #take(as: PersonName | null, path: string): Promise<OpenPage> {
    const free = as === null ? undefined : this.#freeFor(as).pop()
    if (free) {
      free.forgetFaults()
      await goTo(free.page, path)
      return free
    }
    const stage = this.#stage()
    const opened = await openWatched(stage, await openContext(stage, as === null ? {} : { as }))
    await tellFailure(opened, () => opened.open(path))
    return opened
  }

  #freeFor(as: PersonName): OpenPage[] {
    const free = this.#free.get(as) ?? []
    this.#free.set(as, free)
    return free
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
