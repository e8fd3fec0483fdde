import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Request } from 'playwright-core'
import { makePipeline } from '../house/team.ts'
import { describeWeb } from './visit.ts'

/** No runner fits its profile: its runs wait. */
const WAITING = `name: in-line
profile: acme/rare
checkout: false
steps:
  - name: build
    tasks: [{ name: compile, run: "true" }]
`
const ONE_RUN = /^\/v1\/runs\/[^/]+$/
const HOUR_MS = 3_600_000

describeWeb('the row of a queued run', (web) => {
  test('says what the run waits for, asks nothing while nothing happens, and asks again when something did', async () => {
    const { world, house } = web.stage
    const pipeline = encodeURIComponent(await makePipeline(world.admin, world.team, WAITING))
    const start = () =>
      house.api.send<{ run_id: string }>('POST', `/v1/pipelines/${pipeline}/runs`, { scope: world.team.scope })
    const before = await start()
    const { run_id: id } = await start()
    await web.visit({ as: 'owner' }, async ({ page, open, settle }) => {
      await page.clock.install()
      const asked: Request[] = []
      page.on('request', (request) => {
        if (ONE_RUN.test(new URL(request.url()).pathname)) asked.push(request)
      })
      const listening = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/live')
      await open('/t/acme/runs?pipeline=acme%2Fin-line')
      const row = page.getByRole('row').filter({ has: page.locator(`a[href$="${id}"]`) })
      await row.getByText(/\brare\b/).waitFor()
      await listening
      await settle()
      // What the head of the stream made old has been read, and its rest is over.
      await page.clock.fastForward(HOUR_MS)
      await settle()
      asked.length = 0
      await page.clock.fastForward(HOUR_MS)
      await settle()
      assert.deepEqual(
        asked.map((request) => request.url()),
        [],
        'nobody asks again by the clock',
      )

      const again = page.waitForRequest((request) => new URL(request.url()).pathname === `/v1/runs/${id}`)
      await house.api.send('POST', `/v1/runs/${before.run_id}/cancel`, {})
      await again
      await house.api.send('POST', `/v1/runs/${id}/cancel`, {})
      await row.getByText('canceled', { exact: true }).waitFor()
    })
  })
})
