import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliverPush } from '../house/team.ts'
import { describeWeb, PHONE, WIDE } from './visit.ts'

describeWeb('a signed delivery', (web) => {
  test('appears by itself, says why it started a run, and is tried and replayed', async () => {
    const { world } = web.stage
    await web.visit({ as: 'owner' }, async ({ page, open, settle }) => {
      await open(`/t/acme/deliveries?source=${world.team.sourceId}`)
      const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row')
      await rows.nth(1).waitFor()
      await settle()
      const before = await rows.count()

      await deliverPush(world.admin, world.team, 'https://git.example/acme/shop.git', {
        before: '2'.repeat(40),
        after: '3'.repeat(40),
      })
      await rows.nth(before).waitFor()
      await rows.nth(1).getByRole('link').first().click()

      await page.getByRole('heading', { name: 'Delivery: push' }).waitFor()
      // The frame goes on with the team of the source, also for whoever opens the link.
      await page.reload()
      await page.getByRole('link', { name: 'Sources of acme' }).waitFor()
      await page
        .locator('input[value="acme"]')
        .and(page.getByRole('combobox', { name: 'Team' }))
        .waitFor()
      const tree = page.getByRole('region', { name: 'Why' })
      await tree.getByText('matches the source').waitFor()
      await tree.getByText('started', { exact: true }).first().waitFor()

      await page.getByRole('button', { name: 'Dry run' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('heading', { name: 'What would start now' }).waitFor()
      await dialog.getByRole('button', { name: 'Close' }).click()
      await dialog.waitFor({ state: 'detached' })

      await page.getByRole('button', { name: 'Replay' }).click()
      const link = dialog.getByRole('link', { name: 'Open the run' }).first()
      await link.waitFor()
      assert.match((await link.getAttribute('href')) ?? '', /#\/runs\/[0-9a-f-]{36}$/)
    })
  })

  for (const [where, look] of [
    ['on a wide screen', { size: WIDE, scheme: 'light' }],
    ['on a phone', { size: PHONE, scheme: 'dark' }],
  ] as const) {
    test(`that was missed and came back says so, and when it was missed, ${where}`, async () => {
      const { world } = web.stage
      await web.visit({ as: 'owner', ...look }, async ({ page, open, settle }) => {
        await page.route(/\/v1\/(deliveries\?|git-webhook-sources\/[^/]+\/deliveries\/)/, async (route) => {
          const response = await route.fetch()
          const body: unknown = await response.json()
          await route.fulfill({ response, json: Array.isArray(body) ? body.map(asRecovered) : asRecovered(body) })
        })
        await open(`/t/acme/deliveries?source=${world.team.sourceId}`)
        const row = page.getByRole('table', { name: 'Deliveries' }).getByRole('row').nth(1)
        await row.getByText('recovered', { exact: true }).waitFor()
        await row.getByText(/, missed/).waitFor()
        await row.getByRole('link').first().click()

        await page.getByRole('heading', { name: /^Delivery: / }).waitFor()
        const header = page.getByRole('main')
        await header.getByText('recovered', { exact: true }).waitFor()
        await header.getByText(/^missed/).waitFor()
        await settle()
        // The stream may have just told the page to read again.
        await page.unrouteAll({ behavior: 'ignoreErrors' })
      })
    })
  }
})

/** An outage cannot be had here: the provider's log is that of another test. */
function asRecovered(delivery: unknown): object {
  return Object.assign({}, delivery, { recovered: true, missed_at: '2026-11-28T08:00:00.000Z' })
}
