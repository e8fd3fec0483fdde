import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { DIALOGS, drawnDialogs, ELSEWHERE, placeOf, press } from './dialogs.ts'
import { findFaultsOfDialog } from './look.ts'
import { describeWeb } from './visit.ts'

test('every dialog, drawer, menu and popover that the application draws is opened', () => {
  const missing = [...drawnDialogs()].flatMap(([file, drawn]) => {
    const listed = DIALOGS.filter((dialog) => dialog.file === file).length + (ELSEWHERE[file]?.count ?? 0)
    return listed < drawn ? [`${file}: ${listed} of ${drawn}`] : []
  })
  assert.deepEqual(missing, [], 'e2e/web/dialogs.ts lists how a person opens each one')
})

describeWeb('every dialog, in both themes, wide and on a phone', (web) => {
  after(async () => {
    // A viewer has no token, and other tests compare the buttons of both.
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open('/account/tokens')
      const row = page.getByRole('row').filter({ hasText: 'laptop' })
      await row.getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await row.waitFor({ state: 'detached' })
    })
  })

  for (const dialog of DIALOGS) {
    test(`${dialog.file}: ${String(dialog.title)}`, () => {
      const { as, path } = placeOf(dialog, web.stage)
      return web.stage.seats.visit(as, path, async ({ page, settle, findFaults }) => {
        await settle()
        for (const step of dialog.steps) await press(page, step)
        const shown = page.getByRole(dialog.role, { name: dialog.title, exact: true })
        await shown.waitFor()
        await settle()
        assert.deepEqual([...(await findFaultsOfDialog(page)), ...(await findFaults())], [])
        await page.keyboard.press('Escape')
        await shown.waitFor({ state: 'hidden' })
      })
    })
  }
})
