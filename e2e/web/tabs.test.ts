import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { makePipeline } from '../house/team.ts'
import { openContext } from './open-page.ts'
import { describeWeb } from './visit.ts'
import { watch } from './watcher.ts'

const TABS = 8

const SEEN = `name: seen-by-all
checkout: false
steps:
  - name: build
    tasks: [{ name: compile, run: echo seen }]
`

/** Headless, every page counts as shown: this is what a browser says of its tabs when a person goes from one to another. */
const HIDEABLE = `
  let isHidden = true
  Object.defineProperty(document, 'hidden', { get: () => isHidden })
  Object.defineProperty(document, 'visibilityState', { get: () => (isHidden ? 'hidden' : 'visible') })
  window.turn = (hidden) => {
    isHidden = hidden
    document.dispatchEvent(new Event('visibilitychange'))
  }
`

describeWeb('eight tabs of one browser, with six connections for all of them', (web) => {
  test('are live when they are looked at, and no ordinary request waits for a stream', async () => {
    const { world, house } = web.stage
    const pipeline = encodeURIComponent(await makePipeline(world.admin, world.team, SEEN))
    const start = () => house.api.send('POST', `/v1/pipelines/${pipeline}/runs`, { scope: world.team.scope })
    const context = await openContext(web.stage, { as: 'owner' })
    try {
      await context.addInitScript(HIDEABLE)
      const tabs: Page[] = []
      const watchers = []
      let shown: Page | undefined
      const show = async (tab: Page): Promise<void> => {
        await shown?.evaluate('turn(true)')
        shown = tab
        await tab.evaluate('turn(false)')
      }
      for (let at = 0; at < TABS; at += 1) {
        const tab = await context.newPage()
        watchers.push(await watch(tab))
        await tab.goto(`${house.url}/#/t/acme/runs?pipeline=acme%2Fseen-by-all`)
        const streams = tab.waitForRequest(/\/v1\/live\?/)
        await show(tab)
        await tab.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
        await streams
        tabs.push(tab)
      }
      // Each is looked at in turn, and learns of a run that begins while it is.
      const runs = (tab: Page) =>
        tab.getByRole('table', { name: 'Runs' }).getByRole('link', { name: 'acme/seen-by-all' })
      for (const [at, tab] of tabs.entries()) {
        await show(tab)
        const status = await tab.evaluate<number>(`fetch('./v1/auth/me').then((answer) => answer.status)`)
        assert.equal(status, 200)
        await start()
        await runs(tab).nth(at).waitFor()
      }
      // What a tab missed while it was hidden, it shows when it is looked at again.
      const [first] = tabs
      assert.ok(first)
      await show(first)
      await runs(first)
        .nth(TABS - 1)
        .waitFor()
      for (const { faults } of watchers) assert.deepEqual(faults(), [])
    } finally {
      await context.close()
    }
  })
})
