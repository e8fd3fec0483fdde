import type { Page } from 'playwright-core'
import { deliverPush, makePipeline } from '../../e2e/house/team.ts'
import { type Bar, barOf, ROUNDS } from './bar.ts'
import { type MeasuredPage, openMeasured, type Round } from './measured-page.ts'
import type { Painted, Wanted } from './probe.ts'
import { type Stand, TEAM } from './stand.ts'

const PIXEL_MS = 300

/** Without a runner the run stays queued. */
const WAITING = `name: waiting
checkout: false
steps:
  - name: build
    tasks: [{ name: compile, run: "true" }]
`

/**
 * From an event to its pixel, in open pages. The clock starts when the request is sent that makes the control plane commit
 * the event, so that the commit itself is counted, too.
 */
export async function measureLive(stand: Stand): Promise<readonly Bar[]> {
  const pipeline = await makePipeline(stand.subject.house.api, stand.team, WAITING)
  const begun: Round[] = []
  const ended: Round[] = []
  await inPage(stand, 'Runs', async (list) => {
    for (let round = 0; round < ROUNDS; round++) {
      const both = await beginAndEnd(stand, list, pipeline)
      begun.push(both.begun)
      ended.push(both.ended)
    }
  })
  const delivered: Round[] = []
  await inPage(stand, 'Deliveries', async (list) => {
    for (let round = 0; round < ROUNDS; round++) delivered.push(await deliver(stand, list, round))
  })
  return [
    barOf('a new run, from the request to the pixel', PIXEL_MS, begun),
    barOf('the end of a run, from the request to the pixel', PIXEL_MS, ended),
    barOf('a delivery, from the request to the pixel', PIXEL_MS, delivered),
  ]
}

/** The only page of its browser's window: one behind another is drawn once a second. */
async function inPage(stand: Stand, heading: string, story: (list: MeasuredPage) => Promise<void>): Promise<void> {
  const context = await stand.openContext()
  try {
    const list = await openMeasured(context)
    await open(list.page, stand.address(`/t/${TEAM}/${heading.toLowerCase()}`), heading)
    await story(list)
  } finally {
    await context.close()
  }
}

async function open(page: Page, address: string, heading: string): Promise<void> {
  // From the head of the stream on, every change is told.
  const stream = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/live')
  await page.goto(address)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await stream
}

async function beginAndEnd(stand: Stand, list: MeasuredPage, pipeline: string) {
  const { api } = stand.subject.house
  const path = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
  const before = await list.page.locator(ROWS).count()
  let id = ''
  const begun = await list.measure(() =>
    toPixel(list.page, { selector: ROWS, count: before + 1 }, async () => {
      id = (await api.send<{ run_id: string }>('POST', path, { scope: stand.team.scope })).run_id
    }),
  )
  const row = `tr:has(a[href*="${id}"])`
  const ended = await list.measure(() =>
    toPixel(list.page, { selector: row, text: 'canceled' }, async () => {
      await api.ask('POST', `/v1/runs/${id}/cancel`)
    }),
  )
  return { begun, ended }
}

const ROWS = 'table[aria-label="Runs"] tbody tr:has(a)'

function deliver(stand: Stand, { page, measure }: MeasuredPage, round: number): Promise<Round> {
  const sha = (of: number): string => String(of).padStart(40, '0')
  return measure(() =>
    toPixel(page, { selector: 'table[aria-label="Deliveries"] tbody tr:has(a)', count: round + 1 }, () =>
      deliverPush(stand.subject.house.api, stand.team, 'https://git.example.invalid/acme/shop.git', {
        before: sha(round),
        after: sha(round + 1),
      }),
    ),
  )
}

/** The clocks of the page and of this process are the same machine's. */
export async function toPixel(page: Page, wanted: Wanted, act: () => Promise<unknown>): Promise<Painted> {
  const origin = await page.evaluate((what) => {
    window.bench.result = window.bench.watch(what)
    return performance.timeOrigin
  }, wanted)
  const from = performance.timeOrigin + performance.now() - origin
  await act()
  const { to } = await page.evaluate(() => window.bench.result ?? Promise.reject(new Error('Nothing is awaited')))
  return { from, to }
}
