import { type Bar, barOf, ROUNDS } from './bar.ts'
import { openMeasured, type Round } from './measured-page.ts'
import type { Painted, Wanted } from './probe.ts'
import { type Stand, TEAM } from './stand.ts'

const EMPTY_CACHE_MS = 1000
const AGAIN_MS = 400
export const RUN_LINK = 'table[aria-label="Runs"] a[href*="/runs/"]'
const ROWS: Wanted = { selector: RUN_LINK, count: 50 }

/** From the start of the navigation to rows that are drawn and can be pressed: with an empty cache, and once more. */
export async function measureLoading(stand: Stand): Promise<readonly Bar[]> {
  const rounds: { readonly first: Round[]; readonly again: Round[] } = { first: [], again: [] }
  // The first profile of a browser takes longer than all others.
  for (let round = -1; round < ROUNDS; round++) {
    const context = await stand.openContext(ROWS)
    try {
      const first = await openOnce(stand, context)
      const again = await openOnce(stand, context)
      if (round < 0) continue
      rounds.first.push(first)
      rounds.again.push(again)
    } finally {
      await context.close()
    }
  }
  return [
    barOf('empty cache to a usable run list', EMPTY_CACHE_MS, rounds.first),
    barOf('the same again', AGAIN_MS, rounds.again),
  ]
}

async function openOnce(stand: Stand, context: Parameters<typeof openMeasured>[0]): Promise<Round> {
  const { page, measure, close } = await openMeasured(context)
  const round = await measure(async () => {
    await page.goto(stand.address(`/t/${TEAM}/runs`), { waitUntil: 'commit' })
    return page.evaluate((): Promise<Painted> => window.bench.opened ?? Promise.reject(new Error('Nothing is awaited')))
  })
  await close()
  return round
}
