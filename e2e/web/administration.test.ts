import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { findAxeFaults } from './axe.ts'
import { findFaultsOfDialog } from './look.ts'
import { signIn } from './people.ts'
import { describeWeb } from './visit.ts'

describeWeb('an administrator', (web) => {
  const shown = async (dialog: Locator): Promise<string> => (await dialog.locator('pre').innerText()).trim()
  const signsIn = async (login: string, password: string): Promise<boolean> => {
    const { browser, house } = web.stage
    const context = await browser.newContext()
    try {
      await signIn(context, house.url, { login, password })
      return true
    } catch {
      return false
    } finally {
      await context.close()
    }
  }
  const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click()

  test('makes a user, whose password is shown once, ends the session, disables and enables the user', async () => {
    await web.visit({ as: 'administrator' }, async ({ page, open }) => {
      await open('/system/users')
      await press(page, 'Create a user')
      const form = page.getByRole('dialog')
      await form.getByRole('textbox', { name: 'Login' }).fill('no such login')
      await form.getByRole('textbox', { name: 'Login' }).fill('made-here')
      await form.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByText('It is shown this once.').waitFor()
      assert.deepEqual(await findAxeFaults(page), [], 'the shown password: accessible')
      const first = await shown(page.getByRole('dialog'))
      await page.getByRole('link', { name: 'Open the user' }).click()
      await page.getByRole('heading', { name: 'made-here', level: 1 }).waitFor()
      assert.ok(!(await page.content()).includes(first), 'the password stands nowhere')
      assert.ok(await signsIn('made-here', first))
      await page.reload()
      await press(page, 'End')
      await press(page, 'End it')
      await page.getByText('The user is signed in nowhere.').waitFor()

      await press(page, 'New password')
      await press(page, 'Create it')
      await page.getByText('It is shown this once.').waitFor()
      assert.deepEqual(await findFaultsOfDialog(page), [], 'the new password: accessible')
      const second = await shown(page.getByRole('dialog'))
      await press(page, 'Close')
      assert.deepEqual([await signsIn('made-here', first), await signsIn('made-here', second)], [false, true])

      await press(page, 'Disable')
      await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
      await press(page, 'Enable')
      await page.getByRole('button', { name: 'Disable', exact: true }).waitFor()
      assert.ok(await signsIn('made-here', second))
    })
  })

  test('cannot disable themselves by mistake', async () => {
    await web.visit({ as: 'administrator' }, async ({ page, open }) => {
      await open('/system/users')
      await page.getByRole('link', { name: 'web-administrator' }).click()
      await page.getByRole('heading', { name: 'web-administrator', level: 1 }).waitFor()
      const disable = page.getByRole('button', { name: 'Disable', exact: true })
      assert.match((await disable.getAttribute('aria-description')) ?? '', /This is you/)
      await page.getByRole('link', { name: 'the platform' }).waitFor()
    })
  })

  test('reads the configuration in force, filtered in the address, and no secret', async () => {
    await web.visit({ as: 'administrator' }, async ({ page, open }) => {
      await open('/system/settings')
      await page.getByRole('searchbox', { name: 'Filter' }).fill('bootstrap')
      const row = page.getByRole('row').filter({ hasText: 'bootstrap_admin_token' })
      await row.getByText('set', { exact: true }).waitFor()
      assert.match(page.url(), /q=bootstrap/)
      await page.reload()
      await row.waitFor()
      await page.getByRole('radio', { name: 'All' }).waitFor({ state: 'attached' })
      assert.ok(!(await page.content()).includes(web.stage.house.api.token))
    })
  })
})
