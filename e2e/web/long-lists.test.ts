import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makePipeline } from '../house/team.ts'
import { findAxeFaults } from './axe.ts'
import { PHONE, WIDE } from './open-page.ts'
import { describeWeb, type Web } from './visit.ts'

/** Two pages of the list, and more rows than a list draws whole. */
const RUNS = 75
const MOST_DRAWN = 60
const LIST = 'table[aria-label="Runs"]'

/** No runner fits its profile, and its runs are canceled at once. */
const SHORT = `name: long-list
profile: acme/rare
checkout: false
steps:
  - name: build
    tasks: [{ name: compile, run: "true" }]
`

describeWeb('a long list', (web) => {
  let runs: LongList
  before(async () => {
    runs = await makeRuns(web)
  })

  test('draws the rows near those in sight, on a wide page and in cards, and prints all', async () => {
    for (const size of [WIDE, PHONE]) {
      await web.visit({ as: 'owner', size }, async ({ page, open }) => {
        await open(runs.address)
        await showAll(page)
        // In its first frame a list that grew has what was drawn before, and the last row besides.
        await page.waitForFunction(isInParts, { list: LIST, most: MOST_DRAWN })
        assert.equal(await page.locator(LIST).getAttribute('aria-rowcount'), `${RUNS + 1}`)
        assert.deepEqual(await findAxeFaults(page, undefined, LIST), [])
        // Wherever one goes there are rows, as many as fit.
        for (const part of [0.2, 0.9, 0.5, 0]) {
          await page.evaluate((to) => window.scrollTo(0, document.body.scrollHeight * to), part)
          await page.waitForFunction(isFilled, LIST)
        }
        await page.evaluate(() => void window.dispatchEvent(new Event('beforeprint')))
        assert.equal(await page.locator(`${LIST} [data-list-link]`).count(), RUNS)
        await page.evaluate(() => void window.dispatchEvent(new Event('afterprint')))
        assert.ok((await page.locator(`${LIST} [data-list-link]`).count()) < MOST_DRAWN)
      })
    }
  })

  test('has its rows where they were when one comes back, whatever stands above them now', async () => {
    for (const size of [WIDE, PHONE]) {
      await web.visit({ as: 'owner', size }, async ({ page, open }) => {
        const strip = await holdStrip(page)
        await open(runs.address)
        await showAll(page)
        // Who comes back finds the form as it is at first, which is not so high.
        await page.getByRole('button', { name: 'More filters' }).click()
        await page.getByLabel('Since').waitFor()
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight * 0.7))
        await page.waitForFunction(isFilled, LIST)
        const place = await page.evaluate(middleRow, LIST)
        await page.locator(`${LIST} a[href="${place.link}"]`).click()
        await page.getByRole('heading', { name: 'long-list', level: 1 }).waitFor()
        await page.goBack()
        await page.waitForFunction(stands, { list: LIST, ...place })
        assert.equal(await page.getByLabel('Since').count(), 0)
        // The strip of results comes later than the rows.
        strip.release()
        await page.getByRole('list', { name: 'Last results, oldest first' }).waitFor()
        await page.waitForFunction(stands, { list: LIST, ...place })
        assert.equal((await page.evaluate(middleRow, LIST)).link, place.link)
      })
    }
  })

  test('which is short has its rows where they were, too', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open(runs.address)
      await page.getByRole('button', { name: 'More filters' }).click()
      await page.getByLabel('Since').waitFor()
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight * 0.5))
      const place = await page.evaluate(middleRow, LIST)
      await page.locator(`${LIST} a[href="${place.link}"]`).click()
      await page.getByRole('heading', { name: 'long-list', level: 1 }).waitFor()
      await page.goBack()
      await page.waitForFunction(isAt, place)
    })
  })

  test('gives the keys and Tab the next row over the edge of what is drawn', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open(runs.address)
      await showAll(page)
      // The first key goes to the first row, wherever one has scrolled.
      await page.locator('h1').focus()
      for (let row = 2; row <= 60; row++) await page.keyboard.press('j')
      assert.equal(await focusedRow(page), '60')
      for (const [key, row] of [
        ['k', 59],
        ['Tab', 60],
        ['Tab', 60],
        ['Tab', 61],
        ['Tab', 61],
      ] as const) {
        await page.keyboard.press(key)
        assert.equal(await focusedRow(page), `${row}`, key)
      }
      // Somebody scrolls far away with the wheel; the focus stays, and the key goes on from it.
      await page.evaluate(() => window.scrollTo(0, 0))
      await page.waitForFunction(isFilled, LIST)
      assert.equal(await focusedRow(page), '61')
      await page.keyboard.press('j')
      assert.equal(await focusedRow(page), '62')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'long-list', level: 1 }).waitFor()
    })
  })

  test('stays under the pointer when runs begin, and when they are shown above', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open, settle }) => {
      await open(runs.address)
      await showAll(page)
      await settle()
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight * 0.5))
      await page.waitForFunction(isFilled, LIST)
      const { row, link, top } = await page.evaluate(middleRow, LIST)
      await runs.start()
      await page.getByRole('button', { name: '1 new' }).waitFor()
      await page.waitForFunction(stands, { list: LIST, row, top })
      await page.getByRole('button', { name: '1 new' }).click()
      await page.locator(`${LIST}[aria-rowcount="${RUNS + 2}"]`).waitFor()
      // It is one further down the list now, and stands where it stood.
      await page.waitForFunction(stands, { list: LIST, row: `${Number(row) + 1}`, top })
      const now = await page.evaluate(middleRow, LIST)
      assert.equal(now.link, link)
    })
  })
})

interface LongList {
  readonly address: string
  start(): Promise<void>
}

/** Runs of one pipeline, for all tests of the file. */
async function makeRuns({ stage: { world, house } }: Web): Promise<LongList> {
  const pipeline = encodeURIComponent(await makePipeline(world.admin, world.team, SHORT))
  const start = async (): Promise<void> => {
    const { run_id: id } = await house.api.send<{ run_id: string }>('POST', `/v1/pipelines/${pipeline}/runs`, {
      scope: world.team.scope,
    })
    await house.api.ask('POST', `/v1/runs/${id}/cancel`)
  }
  for (let made = 0; made < RUNS; made += 15) await Promise.all(Array.from({ length: 15 }, start))
  return { address: `/t/acme/runs?pipeline=${pipeline}`, start }
}

async function showAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.locator(`${LIST} tr[aria-rowindex="${RUNS + 1}"]`).waitFor({ state: 'attached' })
}

/** What stands above the list waits until it is released. */
async function holdStrip(page: Page): Promise<{ release(): void }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/v1/pipeline-results?*', async (route) => {
    await promise
    // Whoever asked may have gone.
    await route.continue().catch(() => undefined)
  })
  return { release: resolve }
}

/** The place of the row with the focus in the list, as a reader hears it. */
function focusedRow(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('aria-rowindex'))
}

/** Runs in the page: fewer rows are drawn. */
function isInParts({ list, most }: { readonly list: string; readonly most: number }): boolean {
  return document.querySelectorAll(`${list} [data-list-link]`).length < most
}

/** Runs in the page: where the list covers the window there are rows, none of them empty. */
function isFilled(list: string): boolean {
  const seen = [...document.querySelectorAll(`${list} tr[data-gap]`)].map((gap) => gap.getBoundingClientRect())
  return seen.every(({ top, bottom }) => bottom <= 0 || top >= window.innerHeight)
}

/** Runs in the page: the row stands there, within a pixel. */
function stands({ list, row, top }: { readonly list: string; readonly row: string; readonly top: number }): boolean {
  const element = document.querySelector(`${list} tr[aria-rowindex="${row}"]`)
  return element !== null && Math.abs(element.getBoundingClientRect().top - top) <= 1
}

/** Runs in the page: the row of this link stands there, within a pixel. */
function isAt({ link, top }: { readonly link: string; readonly top: number }): boolean {
  const row = document.querySelector(`[data-list-link][href="${link}"]`)?.closest('tr')
  return row !== null && row !== undefined && Math.abs(row.getBoundingClientRect().top - top) <= 1
}

/** Runs in the page: the row in the middle of the window. */
function middleRow(list: string): { readonly row: string; readonly link: string; readonly top: number } {
  const rows = [...document.querySelectorAll(`${list} tbody tr:not([data-gap])`)]
  const middle = rows.find((row) => row.getBoundingClientRect().bottom > window.innerHeight / 2)
  return {
    row: middle?.getAttribute('aria-rowindex') ?? '',
    link: middle?.querySelector('[data-list-link]')?.getAttribute('href') ?? '',
    top: middle?.getBoundingClientRect().top ?? 0,
  }
}
