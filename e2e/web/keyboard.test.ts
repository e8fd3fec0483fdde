import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { runEnd } from '../house/runs.ts'
import { makePipeline } from '../house/team.ts'
import { describeWeb } from './visit.ts'

const BROKEN = `name: keyed
checkout: false
steps:
  - name: build
    tasks:
      - name: compile
        run: echo the wrong number; exit 3`

/** More stops than any page has. */
const MOST_STOPS = 250

/** Presses a key until the focus is there. */
async function reach(page: Page, key: string, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press(key)
    if (await wanted.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`${key} does not reach ${String(wanted)}`)
}

async function press(page: Page, wanted: Locator): Promise<void> {
  await reach(page, 'Tab', wanted)
  await page.keyboard.press('Enter')
}

describeWeb('by keyboard alone', (web) => {
  test('from signing in over a failed run and its log to a mended run', async () => {
    const { house, world, people } = web.stage
    const identifier = await makePipeline(world.admin, world.team, BROKEN)
    const asked = `/v1/pipelines/${encodeURIComponent(identifier)}/runs`
    const { run_id: failed } = await house.api.send<{ run_id: string }>('POST', asked, { scope: world.team.scope })
    await runEnd(house.api, failed)
    await web.visit({}, async ({ page, open }) => {
      const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
      await open('/t/acme/runs')
      await reach(page, 'Tab', page.getByLabel('Login'))
      await page.keyboard.type(people.editor.login)
      await reach(page, 'Tab', page.getByRole('textbox', { name: 'Password' }))
      await page.keyboard.type(people.editor.password)
      await page.keyboard.press('Enter')

      await heading('Runs')
      await reach(page, 'j', page.locator(`[data-list-link][href*="${failed}"]`))
      await page.keyboard.press('Enter')
      await heading('keyed')
      await page.getByRole('log').getByText('the wrong number', { exact: true }).waitFor()
      await press(page, page.getByRole('link', { name: 'pipeline, version 1' }))

      await page.getByText('Version 1', { exact: true }).waitFor()
      await press(page, page.getByRole('button', { name: 'Edit', exact: true }))
      await heading('Edit keyed')
      await reach(page, 'Tab', page.getByRole('textbox', { name: `Document of ${identifier}` }))
      await page.keyboard.press('Control+End')
      await page.keyboard.press('Backspace')
      await page.keyboard.type('0')
      await page.keyboard.press('Control+s')
      await page.getByRole('status').filter({ hasText: 'As in version 2' }).waitFor()

      // Escape leaves the editor; the keys of the page are then free again.
      await page.keyboard.press('Escape')
      await page.keyboard.press('g')
      await page.keyboard.press('p')
      await heading('Pipelines')
      await reach(page, 'j', page.locator('[data-list-link]').filter({ hasText: /^(acme\/)?keyed$/ }))
      await page.keyboard.press('Enter')
      await heading('keyed')
      await page.getByText('Version 2', { exact: true }).waitFor()
      await press(page, page.getByRole('button', { name: 'Run', exact: true }).first())
      const form = page.getByRole('dialog', { name: `Run ${identifier}` })
      await reach(page, 'Tab', form.getByLabel('Scope'))
      await page.keyboard.type(world.team.scope)
      await press(page, form.getByRole('button', { name: 'Run', exact: true }))
      await page.waitForURL(/#\/runs\//)
      await page.locator('header').getByText('success', { exact: true }).waitFor()
    })
  })
})
