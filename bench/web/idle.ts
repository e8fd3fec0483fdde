import type { CDPSession } from 'playwright-core'
import { makePipeline } from '../../e2e/house/team.ts'
import type { Bar } from './bar.ts'
import { type Stand, TEAM } from './stand.ts'

const IDLE_MS = 30_000
/** What a page does after it was opened is over by then. */
const SETTLED_MS = 7000
const CORE_PERCENT = 1

/** No runner is there to take it: the list says of its run what it waits for. */
const WAITING = `name: idle
checkout: false
steps:
  - name: build
    tasks: [{ name: compile, run: "true" }]
`

/** Nobody touches the page, and nothing happens: the CPU of its process, and its requests. */
export async function measureIdle(stand: Stand): Promise<readonly Bar[]> {
  const { api } = stand.subject.house
  const pipeline = encodeURIComponent(await makePipeline(api, stand.team, WAITING))
  await api.send('POST', `/v1/pipelines/${pipeline}/runs`, { scope: stand.team.scope })
  return [await idle(stand, 'list of runs', `/t/${TEAM}/runs`, 'queued'), await idle(stand, 'home', `/t/${TEAM}/home`)]
}

/** `shown` is a text that must be there: what is watched is in sight. */
async function idle(stand: Stand, what: string, path: string, shown = ''): Promise<Bar> {
  const context = await stand.openContext()
  const cdp = await stand.browser.newBrowserCDPSession()
  try {
    const page = await context.newPage()
    const requests: string[] = []
    await page.goto(stand.address(path))
    await page.getByRole('heading', { level: 1 }).waitFor()
    if (shown !== '') await page.getByRole('table').getByText(shown, { exact: true }).first().waitFor()
    await page.waitForTimeout(SETTLED_MS)
    page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
    const before = await rendererSeconds(cdp)
    await page.waitForTimeout(IDLE_MS)
    const used = (await rendererSeconds(cdp)) - before
    if (requests.length > 0) console.log(`  idle ${what}: ${requests.join(', ')}`)
    return {
      figures: [
        {
          what: `idle ${what}: CPU`,
          value: (used / (IDLE_MS / 1000)) * 100,
          unit: '% of a core',
          atMost: CORE_PERCENT,
        },
        { what: `idle ${what}: requests but pings`, value: requests.length, unit: '', exactly: 0 },
      ],
    }
  } finally {
    await cdp.detach()
    await context.close()
  }
}

/** CPU of all processes that draw pages; no other page is open. */
async function rendererSeconds(cdp: CDPSession): Promise<number> {
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo')
  return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}
