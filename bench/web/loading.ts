import { type Bar, bar, measureRounds, partOf } from './bar.ts'
import { openMeasured, type Round } from './measured-page.ts'
import type { Painted, Wanted } from './probe.ts'
import { type Stand, TEAM } from './stand.ts'

const EMPTY_CACHE_MS = 1000
const AGAIN_MS = 400
export const RUN_LINK = 'table[aria-label="Runs"] a[href*="/runs/"]'
const ROWS: Wanted = { selector: RUN_LINK, count: 50 }

/** The browser writes compiled code to its profile at the second visit. */
const VISITS_BEFORE = 3

/** From the start of the navigation to rows that are drawn and can be pressed: with an empty cache, and once more. */
export async function measureLoading(stand: Stand): Promise<readonly Bar[]> {
  const list = stand.address(`/t/${TEAM}/runs`)
  // What the browser itself takes to open anything: a small picture, from the same control plane.
  const picture = new URL('/icon.svg', list).href
  const openFirst = async (): Promise<Round> => {
    const context = await stand.openContext(ROWS)
    try {
      return await openOnce(context, list)
    } finally {
      await context.close()
    }
  }
  // The first profile of a browser takes longer than all others.
  await openFirst()
  return [
    await bar('empty cache to a usable run list', EMPTY_CACHE_MS, openFirst),
    await inUsedProfile(stand, list, ROWS, (open) => bar('the same again', AGAIN_MS, open)),
    await inUsedProfile(stand, picture, { selector: 'svg' }, async (open) =>
      partOf('the same again: a picture alone', await measureRounds(open)),
    ),
  ]
}

/** Somebody who has used the page before, with a profile on disk: in memory, a browser keeps no compiled code. */
async function inUsedProfile(
  stand: Stand,
  address: string,
  wanted: Wanted,
  measure: (open: () => Promise<Round>) => Promise<Bar>,
): Promise<Bar> {
  await using profile = await stand.openProfile(wanted)
  const open = (): Promise<Round> => openOnce(profile.context, address)
  for (let visit = 0; visit < VISITS_BEFORE; visit++) await open()
  return await measure(open)
}

async function openOnce(context: Parameters<typeof openMeasured>[0], address: string): Promise<Round> {
  const { page, measure, close } = await openMeasured(context)
  const round = await measure(async () => {
    await page.goto(address, { waitUntil: 'commit' })
    return page.evaluate((): Promise<Painted> => window.bench.opened ?? Promise.reject(new Error('Nothing is awaited')))
  })
  await close()
  return round
}
