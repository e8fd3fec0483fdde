import type { BrowserContext } from 'playwright-core'
import { type Bar, bar, measureRounds, partOf } from './bar.ts'
import { type MeasuredPage, openMeasured, type Round } from './measured-page.ts'
import type { Painted, Wanted } from './probe.ts'
import { type Stand, TEAM } from './stand.ts'

const EMPTY_CACHE_MS = 1000
const AGAIN_MS = 400
export const RUN_LINK = 'table[aria-label="Runs"] a[href*="/runs/"]'
const ROWS: Wanted = { selector: RUN_LINK, count: 50 }

/** The browser writes compiled code to its profile at the second visit. */
const VISITS_BEFORE = 3

/**
 * From the start of the navigation to rows that are drawn and can be pressed: with an empty cache, and once more. Once more
 * is measured in the tab where the page was before, and in a new tab, for which the browser begins a process.
 */
export async function measureLoading(stand: Stand): Promise<readonly Bar[]> {
  const list = stand.address(`/t/${TEAM}/runs`)
  // What the browser itself takes to open anything: a small picture, from the same control plane.
  const picture = new URL('/icon.svg', list).href
  const openFirst = async (): Promise<Round> => {
    const context = await stand.openContext(ROWS)
    try {
      return await openInNewTab(context, list)
    } finally {
      await context.close()
    }
  }
  // The first profile of a browser takes longer than all others.
  await openFirst()
  return [
    await bar('empty cache to a usable run list', EMPTY_CACHE_MS, openFirst),
    await inUsedProfile(stand, list, ROWS, async (context) => {
      const tab = await openMeasured(context)
      return bar('the same again, in the same tab', AGAIN_MS, async () => {
        await tab.page.goto(picture)
        return measureOpening(tab, list)
      })
    }),
    await inUsedProfile(stand, list, ROWS, (context) =>
      bar('the same again, in a new tab', AGAIN_MS, () => openInNewTab(context, list)),
    ),
    await inUsedProfile(stand, picture, { selector: 'svg' }, async (context) =>
      partOf('a picture alone, in a new tab', await measureRounds(() => openInNewTab(context, picture))),
    ),
  ]
}

/** Somebody who has used the page before, with a profile on disk: in memory, a browser keeps no compiled code. */
async function inUsedProfile(
  stand: Stand,
  address: string,
  wanted: Wanted,
  measure: (context: BrowserContext) => Promise<Bar>,
): Promise<Bar> {
  await using profile = await stand.openProfile(wanted)
  for (let visit = 0; visit < VISITS_BEFORE; visit++) await openInNewTab(profile.context, address)
  return await measure(profile.context)
}

async function openInNewTab(context: BrowserContext, address: string): Promise<Round> {
  const tab = await openMeasured(context)
  const round = await measureOpening(tab, address)
  await tab.close()
  return round
}

function measureOpening({ page, measure }: MeasuredPage, address: string): Promise<Round> {
  return measure(async () => {
    await page.goto(address, { waitUntil: 'commit' })
    return page.evaluate((): Promise<Painted> => window.bench.opened ?? Promise.reject(new Error('Nothing is awaited')))
  })
}
