import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { press } from './dialogs.ts'
import { findHostileFaults, watchForRuns } from './hostile-look.ts'
import { makeHostileScenery, TEAM } from './hostile-scenery.ts'
import { hostile } from './hostile-texts.ts'
import { resize } from './layout.ts'
import { sizesOf } from './look.ts'
import { LOOKS } from './looks.ts'
import { PAGES } from './pages.ts'
import type { Scenery } from './scenery.ts'
import { describeWeb } from './visit.ts'

/** Pages whose hostile version stands elsewhere than the scenery's own. */
const ADDRESSES: Readonly<Record<string, string>> = {
  'overrides overrides/$owner/$name': `/overrides/${TEAM}/frozen?ref=main&event=push`,
}

/** More of a page than its address in pages.ts shows, and what lies above it once something is pressed. */
interface Further {
  readonly name: string
  readonly address: (scenery: Scenery) => string
  readonly press?: string | RegExp
}

const FURTHER: readonly Further[] = [
  ...LOOKS.map(({ path, address }) => ({ name: path, address })),
  { name: 'a run that waits for a person', address: ({ runs }) => `/runs/${runs.warned}?tab=approvals` },
  { name: 'a run that was canceled', address: ({ runs }) => `/runs/${runs.queued}` },
  { name: 'a search', address: () => `/t/${TEAM}/runs?branch=${encodeURIComponent(hostile(300))}` },
  { name: 'a rerun', address: ({ runs }) => `/runs/${runs.failed}`, press: 'Run again…' },
  { name: 'the form of a run', address: pipelineOf, press: 'Run' },
  { name: 'a pipeline to be deleted', address: pipelineOf, press: 'Delete' },
  { name: 'the tokens of an account', address: () => `/t/${TEAM}/service-accounts`, press: 'Tokens' },
  { name: 'an emergency to be lifted', address: () => '/emergencies', press: 'Lift' },
  { name: 'what holds in a scope', address: ({ world }) => `/t/${TEAM}/knowledge?scope=${world.team.scope}` },
  { name: 'why a source is as it is', address: () => `/t/${TEAM}/sources`, press: /^Why/ },
  { name: 'why a delivery started nothing', address: () => `/t/${TEAM}/deliveries`, press: /^Why/ },
  {
    name: 'what a delivery would start',
    address: ({ world }) => `/sources/${world.team.sourceId}/deliveries/${world.ids.get('deliveries')?.[0] ?? ''}`,
    press: 'Dry run',
  },
]

function pipelineOf({ world }: Scenery): string {
  return `/pipelines/${encodeURIComponent(world.ids.get('/v1/pipelines')?.[1] ?? '')}`
}

describeWeb('hostile text', (web) => {
  let scenery: Scenery
  before(async () => {
    scenery = await makeHostileScenery(web.stage)
  })

  const look = (name: string, addressOf: () => string, pressed?: string | RegExp): void => {
    test(name, () =>
      web.stage.seats.visit('administrator', addressOf(), async ({ page, settle, findFaults }) => {
        await watchForRuns(page)
        await settle()
        const dialog = page.getByRole('dialog')
        if (pressed !== undefined) {
          await press(page, pressed)
          await dialog.waitFor()
          await settle()
        }
        const faults: string[] = []
        // It begins with the size that the page has: to lay out a tower again takes seconds.
        for (const size of sizesOf(page)) {
          await resize(page, size)
          faults.push(...(await findHostileFaults(page)).map((fault) => `${size.width} px: ${fault}`))
        }
        assert.deepEqual([...faults, ...(await findFaults())], [])
        if (pressed === undefined) return
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'hidden' })
      }),
    )
  }
  for (const { room, path, address, as } of PAGES) {
    const page = `${room} ${path}`
    if (as !== null) look(page, () => ADDRESSES[page] ?? address(scenery).replaceAll('acme', TEAM))
  }
  for (const { name, address, press: pressed } of FURTHER) look(name, () => address(scenery), pressed)
})
