import type { Page } from 'playwright-core'
import { type Bar, bar } from './bar.ts'
import { RUN_LINK } from './loading.ts'
import { type MeasuredPage, openMeasured } from './measured-page.ts'
import { resultOf } from './moving.ts'
import type { Painted } from './probe.ts'
import { SIZE, type Stand, TEAM } from './stand.ts'

const STEP_MS = 150
const PAGE_SIZE = 50
/** How many pages stand in the list that one comes back to. */
const PAGES_KEPT = 4
/** The row that is opened, and then in its place again. */
const MIDDLE = (PAGE_SIZE * PAGES_KEPT) / 2

/** 100,000 runs: the next page of the list, twenty times one after the other, and back to where one was in it. */
export async function measureLongList(stand: Stand): Promise<readonly Bar[]> {
  const next = await atList(stand, (list) => bar('100,000 runs, next page', STEP_MS, (round) => nextPage(list, round)))
  const back = await atList(stand, async (list) => {
    for (let page = 0; page < PAGES_KEPT - 1; page++) await nextPage(list, page)
    return bar('100,000 runs, back to the place', STEP_MS, async () => {
      const place = await leave(list)
      const found = await list.measure(() => comeBack(list, place))
      await mustBeSeen(list.page, rowOf(MIDDLE))
      return found
    })
  })
  return [next, back]
}

async function atList(stand: Stand, measure: (list: MeasuredPage) => Promise<Bar>): Promise<Bar> {
  const context = await stand.openContext({ selector: RUN_LINK, count: PAGE_SIZE })
  try {
    const list = await openMeasured(context)
    await list.page.goto(stand.address(`/t/${TEAM}/runs`))
    await list.page.evaluate(() => window.bench.opened)
    return await measure(list)
  } finally {
    await context.close()
  }
}

async function nextPage({ page, measure }: MeasuredPage, round: number) {
  const wanted = { selector: rowOf(PAGE_SIZE * (round + 1)) }
  // The tool's own search for the button takes CPU, too.
  await page.getByRole('button', { name: 'Show more' }).focus()
  const found = await measure(async () => {
    await page.evaluate((what) => window.bench.arm('click', what), wanted)
    await page.keyboard.press('Enter')
    return resultOf(page)
  })
  await mustBeSeen(page, wanted.selector)
  return found
}

/** The row of the list at this place, from 0: the head is the first one. */
function rowOf(index: number): string {
  return `table[aria-label="Runs"] tr[aria-rowindex="${index + 2}"]`
}

/** Only rows near those in sight are in the document: what is measured is one that a person sees. */
async function mustBeSeen(page: Page, selector: string): Promise<void> {
  const { top = -1, height = 0 } = await page.locator(selector).evaluate((row) => row.getBoundingClientRect().toJSON())
  if (top < 0 || top + height > SIZE.height) throw new Error(`${selector} is not in sight`)
}

/** Opens a run from the middle of the list; answers how far down the list was. */
async function leave({ page }: MeasuredPage): Promise<number> {
  await page.evaluate(
    (part) => window.scrollTo(0, document.body.scrollHeight * part),
    MIDDLE / (PAGE_SIZE * PAGES_KEPT),
  )
  const link = page.locator(`${rowOf(MIDDLE)} [data-list-link]`)
  await link.scrollIntoViewIfNeeded()
  const place = await page.evaluate(() => window.scrollY)
  await link.click()
  await page.getByRole('heading', { level: 1, name: 'build' }).waitFor()
  return place
}

/** The rows are there, where they were. */
function comeBack({ page }: MeasuredPage, place: number): Promise<Painted> {
  return page.evaluate(
    (what) => {
      const painted = window.bench.watch(what)
      history.back()
      return painted
    },
    // The row comes back to its place within a pixel.
    { selector: rowOf(MIDDLE), scrolledTo: Math.floor(place) - 1 },
  )
}
