import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { makePipeline } from '../house/team.ts'
import { describeWeb } from './visit.ts'

const QUICK = `name: left-open
checkout: false
steps:
  - name: build
    tasks: [{ name: compile, run: echo done }]
`

/** The browser's clock goes ahead at once: nobody waits until a page was left. */
const CLOCK = `
  const now = Date.now
  let ahead = 0
  Date.now = () => now() + ahead
  window.pass = (milliseconds) => void (ahead += milliseconds)
`
const LEFT_MS = 30_000

const isBackground = (request: Request): boolean => request.headers()['signalbox-background'] === 'true'

describeWeb('a page that is left open', (web) => {
  test('says of what it reads by itself that no person asked, and of what a person does nothing', async () => {
    const { house, world } = web.stage
    const pipeline = encodeURIComponent(await makePipeline(world.admin, world.team, QUICK))
    const start = () => house.api.send('POST', `/v1/pipelines/${pipeline}/runs`, { scope: world.team.scope })
    const asksFor = (page: Page, path: string): Promise<Request> =>
      page.waitForRequest((request) => new URL(request.url()).pathname === path)
    await web.visit({ as: 'owner' }, async ({ page, open, settle }) => {
      await page.addInitScript(CLOCK)
      const opening: Request[] = []
      page.on('request', (request) => opening.push(request))
      await open('/t/acme/runs?pipeline=acme%2Fleft-open')
      await settle()
      assert.ok(opening.some((request) => new URL(request.url()).pathname === '/v1/runs'))
      assert.deepEqual(opening.filter(isBackground), [], 'whoever opens the page is there')

      await page.evaluate(`pass(${LEFT_MS})`)
      const again = asksFor(page, '/v1/runs')
      await start()
      assert.equal(isBackground(await again), true, 'nobody is there when a run begins')
      await settle()

      const clicked = asksFor(page, '/v1/approvals')
      await page.getByRole('link', { name: 'Approvals' }).click()
      assert.equal(isBackground(await clicked), false, 'a click is of a person')

      await page.evaluate(`pass(${LEFT_MS})`)
      const typed = asksFor(page, '/v1/runs')
      await page.keyboard.press('g')
      await page.keyboard.press('r')
      assert.equal(isBackground(await typed), false, 'so is a key')
    })
  })
})
