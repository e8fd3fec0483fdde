import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { makePipeline } from '../house/team.ts'
import { describeWeb } from './visit.ts'

/** Two pages of the list. */
const RUNS = 75
const TOGETHER = 15
const LIST = 'table[aria-label="Runs"]'

/** No runner fits its profile: its runs wait. */
const WAITING = `name: burst
profile: acme/rare
checkout: false
steps:
  - name: build
    tasks: [{ name: compile, run: "true" }]
`

describeWeb('a list of runs', (web) => {
  const ids: string[] = []
  before(async () => {
    const { world, house } = web.stage
    const pipeline = encodeURIComponent(await makePipeline(world.admin, world.team, WAITING))
    const start = async (): Promise<string> => {
      const asked = { scope: world.team.scope }
      return (await house.api.send<{ run_id: string }>('POST', `/v1/pipelines/${pipeline}/runs`, asked)).run_id
    }
    for (let made = 0; made < RUNS; made += TOGETHER) {
      ids.push(...(await Promise.all(Array.from({ length: TOGETHER }, start))))
    }
  })

  test('says of every row how its run is after a burst, below the first page and behind a filter that lets it through no more', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open('/t/acme/runs?pipeline=acme%2Fburst&status=queued')
      const rows = page.locator(`${LIST} [data-list-link]`)
      await rows.first().waitFor()
      await page.getByRole('button', { name: 'Show more' }).click()
      await page.locator(`${LIST}[aria-rowcount="${RUNS + 1}"]`).waitFor()
      // All of them are drawn on paper.
      await page.evaluate(() => void window.dispatchEvent(new Event('beforeprint')))
      await Promise.all(ids.map((id) => web.stage.house.api.send('POST', `/v1/runs/${id}/cancel`, {})))
      await page
        .locator(`${LIST} [data-tone="canceled"]`)
        .nth(RUNS - 1)
        .waitFor()
      assert.equal(await page.locator(`${LIST} [data-tone="queued"]`).count(), 0)
    })
  })
})
