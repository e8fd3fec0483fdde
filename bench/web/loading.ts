import { type Bar, bar, partOf, ROUNDS } from './bar.ts'
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
  // The first profile of a browser takes longer than all others.
  await openFirst(stand)
  return [
    await bar('empty cache to a usable run list', EMPTY_CACHE_MS, () => openFirst(stand)),
    await measureAgain(stand),
    await measurePicture(stand),
  ]
}

async function openFirst(stand: Stand): Promise<Round> {
  const context = await stand.openContext(ROWS)
  try {
    return await openOnce(stand, context)
  } finally {
    await context.close()
  }
}

/** Somebody who has used the page before, with a profile on disk: in memory, a browser keeps no compiled code. */
async function measureAgain(stand: Stand): Promise<Bar> {
  await using profile = await stand.openProfile(ROWS)
  for (let visit = 0; visit < VISITS_BEFORE; visit++) await openOnce(stand, profile.context)
  return await bar('the same again', AGAIN_MS, () => openOnce(stand, profile.context))
}

/** What the browser itself takes to open anything: a small picture, from the same address. */
async function measurePicture(stand: Stand): Promise<Bar> {
  await using profile = await stand.openProfile({ selector: 'svg' })
  const address = new URL('/icon.svg', stand.address('/')).href
  const rounds: Round[] = []
  for (let visit = 0; visit < VISITS_BEFORE; visit++) await openOnce(stand, profile.context, address)
  for (let round = 0; round < ROUNDS; round++) rounds.push(await openOnce(stand, profile.context, address))
  return partOf('the same again: a picture alone', rounds)
}

async function openOnce(
  stand: Stand,
  context: Parameters<typeof openMeasured>[0],
  address = stand.address(`/t/${TEAM}/runs`),
): Promise<Round> {
  const { page, measure, close } = await openMeasured(context)
  const round = await measure(async () => {
    await page.goto(address, { waitUntil: 'commit' })
    return page.evaluate((): Promise<Painted> => window.bench.opened ?? Promise.reject(new Error('Nothing is awaited')))
  })
  await close()
  return round
}
