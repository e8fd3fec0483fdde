import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findFaultsOfDialog } from './look.ts'
import { signIn } from './people.ts'
import { describeWeb } from './visit.ts'

const OTHER = 'Somebody else has signed in'
const KEPT = `[...Object.keys(localStorage).filter((key) => key.startsWith('signalbox-')), ...Object.keys(sessionStorage)]`
const NO_STORAGE = `for (const name of ['localStorage', 'sessionStorage', 'BroadcastChannel'])
  Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError') } })`

// One browser that several people use: all its tabs share one cookie.
describeWeb('one browser', (web) => {
  const typeToken = async (page: Page): Promise<void> => {
    await page.getByRole('textbox', { name: 'Name' }).fill('of the viewer')
    // A question of the page itself may have met the other user already: then a dialog lies over the button.
    await page.getByRole('button', { name: 'Create the token' }).dispatchEvent('click')
  }

  for (const isOff of [false, true]) {
    test(`another user who signs in silently is met by the next request, ${isOff ? 'also where storage is off' : 'and nothing is written in their name'}`, async () => {
      const { house, people } = web.stage
      await web.visit({ as: 'viewer' }, async ({ page, context, open, expect }) => {
        expect(/ 409$/)
        // The other's sign-in ends the session with which a question was just under way.
        expect(/^answer: GET [^ ]+ 401$/)
        expect(/Local storage color scheme manager/)
        if (isOff) await page.addInitScript(NO_STORAGE)
        await open('/account/tokens')
        await signIn(context, house.url, people.operator)
        await typeToken(page)
        const dialog = page.getByRole('dialog', { name: OTHER })
        await dialog.getByText(`and ${people.operator.login} has signed in since`).waitFor()
        const tokens = await context.request.get(`${house.url}/v1/tokens?own=true`)
        assert.deepEqual(await tokens.json(), [], 'no token was made for the other')
        await dialog.getByRole('button', { name: `Go on as ${people.operator.login}` }).click()
        await page.getByRole('button', { name: 'Operator of acme' }).waitFor()
        assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), '')
      })
    })
  }

  test('signing out asks for unsaved work, and leaves nothing of the user behind, in any tab', async () => {
    await web.visit({ as: 'editor' }, async ({ page, context, open, expect }) => {
      expect(/ 401$/)
      await page.addInitScript(`localStorage.setItem('signalbox-draft:of-somebody-else:x', '{}')`)
      const other = await context.newPage()
      await other.goto(`${web.stage.house.url}/#/t/acme/runs`)
      await other.getByRole('heading', { level: 1 }).waitFor()
      // A page behind another is hardly drawn.
      await page.bringToFront()
      await open('/pipelines/acme%2Fapi/edit')
      await page.getByRole('textbox', { name: 'Document of acme/api' }).click()
      await page.keyboard.type('# unsaved')
      await page.waitForFunction(`Object.keys(localStorage).filter((key) => key.includes('draft')).length === 2`)
      const menu = page.getByRole('button', { name: 'Editor of acme' })
      await menu.click()
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Sign out and lose unsaved work?' })
      await dialog.waitFor()
      assert.deepEqual(await findFaultsOfDialog(page), [])
      await dialog.getByRole('button', { name: 'Sign out' }).click()
      for (const tab of [page, other]) await tab.getByRole('heading', { name: 'Sign in to Signalbox' }).waitFor()
      const kept = await other.evaluate(KEPT)
      assert.deepEqual(kept, ['signalbox-draft:of-somebody-else:x'], 'work of others waits for them')
    })
  })
})
