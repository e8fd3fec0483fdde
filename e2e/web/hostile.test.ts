import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findHostileFaults, watchForRuns } from './hostile-look.ts'
import { makeHostileScenery, TEAM } from './hostile-scenery.ts'
import { hostile } from './hostile-texts.ts'
import { PAGES } from './pages.ts'
import type { Scenery } from './scenery.ts'
import { Seats } from './seats.ts'
import { describeWeb, PHONE, WIDE } from './visit.ts'

/** Pages whose hostile version stands elsewhere than the scenery's own. */
const ADDRESSES: Readonly<Record<string, string>> = {
  'overrides overrides/$owner/$name': `/overrides/${TEAM}/frozen?ref=main&event=push`,
}

/** More of a page than its address in pages.ts shows. */
const FURTHER: readonly { readonly name: string; readonly address: (scenery: Scenery) => string }[] = [
  ...['attempts', 'values', 'results', 'artifacts', 'approvals', 'policies'].map((tab) => ({
    name: `a run's ${tab}`,
    address: ({ runs }: Scenery) => `/runs/${runs.succeeded}?tab=${tab}`,
  })),
  { name: 'a run that waits for a person', address: ({ runs }) => `/runs/${runs.warned}?tab=approvals` },
  { name: 'a run that was canceled', address: ({ runs }) => `/runs/${runs.queued}` },
  { name: 'a search', address: () => `/t/${TEAM}/runs?branch=${encodeURIComponent(hostile(300))}` },
]

describeWeb(
  'hostile text',
  (web) => {
    let scenery: Scenery
    const seats = new Seats(() => web.stage)
    before(async () => {
      scenery = await makeHostileScenery(web.stage)
    })
    after(() => seats.close())

    const look = (name: string, addressOf: () => string): void => {
      test(name, () =>
        seats.visit('administrator', addressOf(), async ({ page, settle, findFaults }) => {
          await watchForRuns(page)
          await settle()
          const faults: string[] = []
          // It begins with the size that the page has: to lay out a tower again takes seconds.
          const sizes = page.viewportSize()?.width === PHONE.width ? [PHONE, WIDE] : [WIDE, PHONE]
          for (const size of sizes) {
            await page.setViewportSize(size)
            faults.push(...(await findHostileFaults(page)).map((fault) => `${size.width} px: ${fault}`))
          }
          assert.deepEqual([...faults, ...(await findFaults())], [])
        }),
      )
    }
    for (const { room, path, address, as } of PAGES) {
      const page = `${room} ${path}`
      if (as !== null) look(page, () => ADDRESSES[page] ?? address(scenery).replaceAll('acme', TEAM))
    }
    for (const { name, address } of FURTHER) look(name, () => address(scenery))
  },
  { concurrency: 2 },
)
