import type { Page } from 'playwright-core'
import { type Bar, bar, barOf, partOf, ROUNDS } from './bar.ts'
import { RUN_LINK } from './loading.ts'
import { openMeasured, type Round } from './measured-page.ts'
import type { Painted, Wanted } from './probe.ts'
import { type Stand, TEAM } from './stand.ts'

const ROUTE_MS = 150
const INPUT_MS = 100
/** The browser tells of no shorter ones. */
const SHORTEST_INPUT_MS = 16

/** The pages that are gone through: the entry of the navigation, and what is there once the page can be used. */
const ROUTES: readonly (readonly [entry: string, wanted: Wanted])[] = [
  ['Pipelines', { selector: 'table[aria-label="Pipelines"] tbody a' }],
  ['Runs', { selector: RUN_LINK, count: 50 }],
  ['Sources', { selector: 'table[aria-label="Sources"] tbody a' }],
  ['Members', { selector: 'table tbody td', text: 'web-viewer' }],
  ['Home', { selector: 'h2', text: 'Health' }],
]

/** From the press on an entry of the navigation to the next page with its data; the first visit of each loads its code. */
export async function measureRoutes(stand: Stand): Promise<readonly Bar[]> {
  const context = await stand.openContext({ selector: RUN_LINK, count: 50 })
  try {
    const { page, measure } = await openMeasured(context)
    await page.goto(stand.address(`/t/${TEAM}/runs`))
    await page.evaluate(() => window.bench.opened)
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const [entry, wanted] = ROUTES[round % ROUTES.length] ?? ['', { selector: '' }]
      rounds.push(await measure(() => follow(page, entry, wanted)))
    }
    return [
      barOf('change of route', ROUTE_MS, rounds),
      ...ROUTES.map(([entry], index) => partOf(`- first visit of ${entry}`, rounds.slice(index, index + 1))),
      partOf('- later visits', rounds.slice(ROUTES.length)),
    ]
  } finally {
    await context.close()
  }
}

async function follow(page: Page, entry: string, wanted: Wanted): Promise<Painted> {
  const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: entry, exact: true })
  await page.evaluate((what) => window.bench.arm('click', what), wanted)
  await link.click()
  return resultOf(page)
}

export function resultOf(page: Page): Promise<Painted> {
  return page.evaluate(() => window.bench.result ?? Promise.reject(new Error('Nothing is awaited')))
}

/** From an input to the next paint (Event Timing): keys in a field and in a list, boxes, menus, the palette. */
export async function measureInputs(stand: Stand): Promise<readonly Bar[]> {
  const context = await stand.openContext({ selector: RUN_LINK, count: 50 })
  try {
    const { page, measure } = await openMeasured(context)
    await page.goto(stand.address(`/t/${TEAM}/runs`))
    await page.evaluate(() => window.bench.opened)
    const acts: readonly (() => Promise<void>)[] = [
      () => page.keyboard.press('j'),
      () => page.keyboard.press('k'),
      () => page.getByRole('checkbox').nth(3).click(),
      () => page.getByRole('checkbox', { name: 'Choose all' }).click(),
      () => page.getByLabel('Branch').click(),
      () => page.keyboard.press('m'),
      () => page.keyboard.press('Tab'),
      () => page.keyboard.press('Control+k'),
      () => page.keyboard.press('r'),
      () => page.keyboard.press('Escape'),
    ]
    return [
      await bar('input to next paint', INPUT_MS, (round) =>
        measureInput(page, measure, acts[round % acts.length] ?? (() => Promise.resolve())),
      ),
    ]
  } finally {
    await context.close()
  }
}

async function measureInput(
  page: Page,
  measure: (act: () => Promise<Painted>) => Promise<Round>,
  act: () => Promise<void>,
): Promise<Round> {
  const round = await measure(async () => {
    const from = await page.evaluate(() => {
      window.bench.inputs.clear()
      return performance.now()
    })
    await act()
    return { from, to: await page.evaluate(drawn) }
  })
  const inputs = await page.evaluate(() => [...window.bench.inputs.values()])
  return { ...round, ms: Math.max(SHORTEST_INPUT_MS, ...inputs) }
}

/** Runs in the page: the browser tells of an input a frame after its paint. */
async function drawn(): Promise<number> {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
  return performance.now()
}
