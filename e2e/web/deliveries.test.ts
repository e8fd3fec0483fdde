import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliverPush } from '../house/team.ts'
import { PHONE, WIDE } from './open-page.ts'
import { describeWeb } from './visit.ts'

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

  for (const [where, look] of [
    ['on a wide screen', { size: WIDE, scheme: 'light' }],
    ['on a phone', { size: PHONE, scheme: 'dark' }],
  ] as const) {
    test(`that never came is on its source's page as an event made from a head, ${where}`, async () => {
      const { world } = web.stage
      await web.visit({ as: 'owner', ...look }, async ({ page, open, settle }) => {
        await page.route(/\/v1\/git-webhook-sources\/[^/]+\/recoveries/, (route) => route.fulfill({ json: [MADE] }))
        await open(`/sources/${world.team.sourceId}`)
        const table = page.getByRole('table', { name: 'Lost deliveries' })
        await table.getByText('refs/heads/main').waitFor()
        await table.getByText('abcdef012345', { exact: true }).waitFor()
        const link = table.getByRole('link', { name: 'Made from heads' })
        assert.match((await link.getAttribute('href')) ?? '', /#\/events\/01900000-0000-7000-8000-000000000003/)
        await settle()
        await page.unrouteAll({ behavior: 'ignoreErrors' })
      })
    })
  }
})

const MADE = {
  id: '01900000-0000-7000-8000-000000000001',
  source_id: '01900000-0000-7000-8000-000000000002',
  kind: 'made',
  state: 'recovered',
  provider_delivery_id: 'heads:1',
  repository: 'acme/shop',
  event_type: 'push',
  ref: 'refs/heads/main',
  before_sha: null,
  head_sha: 'abcdef0123456789abcdef0123456789abcdef01',
  event_id: '01900000-0000-7000-8000-000000000003',
  missed_at: '2026-11-28T08:00:00.000Z',
  requested_at: null,
  recovered_at: '2026-11-28T08:10:00.000Z',
  delivery_id: '01900000-0000-7000-8000-000000000004',
  tries: 0,
  given_up_reason: null,
}

/** An outage cannot be had here: the provider's log is that of another test. */
function asRecovered(delivery: unknown): object {
  return Object.assign({}, delivery, { recovered: true, missed_at: '2026-11-28T08:00:00.000Z' })
}
