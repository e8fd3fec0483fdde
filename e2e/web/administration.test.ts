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

  test('sees everybody who has a right at a team with its origin; a viewer is told that there are others', async () => {
    const { api } = web.stage.house
    const made = (path: string, body: object) => api.send<{ id: string }>('POST', path, body)
    await made('/v1/teams', { path: 'acme/crew' })
    const user = await made('/v1/users', { login: 'crew-member', password: 'long enough for a test' })
    const group = await made('/v1/groups', { name: 'crew' })
    await api.send('PUT', `/v1/groups/${group.id}/members/${user.id}`)
    await made('/v1/grants', { subject: `group:${group.id}`, role: 'operator', team_path: 'acme/crew' })
    await made('/v1/grants', { subject: `user:${user.id}`, role: 'viewer', team_path: 'acme/crew' })
    const rowOf = (page: Page, text: string): Locator =>
      page.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: text })

    await web.visit({ as: 'administrator' }, async ({ page, open }) => {
      await open('/t/acme%2Fcrew/members')
      await rowOf(page, 'web-administrator').getByText('inherited from the platform').waitFor()
      await rowOf(page, 'web-owner').getByRole('link', { name: 'inherited from acme' }).waitFor()
      const member = rowOf(page, 'crew-member')
      await member.getByText('through the group crew, given here').waitFor()
      await member.getByText('given here', { exact: true }).waitFor()

      await page.locator('input').and(page.getByLabel('Origin')).click()
      await page.getByRole('option', { name: 'Through a group' }).click()
      await page.waitForURL(/origin=group/)
      await rowOf(page, 'web-owner').waitFor({ state: 'detached' })
      await page.getByRole('textbox', { name: 'Name' }).fill('nobody-there')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'No member fits' }).waitFor()
      await page.reload()
      await page.getByRole('heading', { name: 'No member fits' }).waitFor()
      assert.match(page.url(), /name=nobody-there/)
      await press(page, 'Take the filters away')

      await member.getByRole('button', { name: 'Take away' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Take away' }).click()
      await member.getByText('given here', { exact: true }).waitFor({ state: 'detached' })
      await member.getByText('through the group crew, given here').waitFor()
      assert.deepEqual(await findAxeFaults(page), [], 'the members: accessible')
      await open('/t/~/members')
      await page.getByRole('table', { name: 'Roles' }).getByText('web-administrator').waitFor()
    })

    await web.visit({ as: 'viewer' }, async ({ page, open, settle }) => {
      await open('/t/acme%2Fcrew/members')
      await rowOf(page, 'Others').getByText('to members whom you may not see').waitFor()
      await rowOf(page, 'web-owner').getByText('inherited from acme').waitFor()
      await rowOf(page, 'crew').getByRole('cell', { name: 'operator', exact: true }).waitFor()
      await settle()
      const told = await page.locator('main').innerText()
      for (const hidden of ['web-administrator', 'crew-member']) assert.ok(!told.includes(hidden), hidden)
    })
  })
})

describeWeb('somebody who writes a rule', (web) => {
  const opensInNewTab = async (page: Page, within: Locator): Promise<void> => {
    const opened = page.context().waitForEvent('page')
    await within.getByRole('link', { name: 'acme/api (in a new tab)' }).click()
    const tab = await opened
    await tab.getByRole('heading', { level: 1, name: /api/ }).waitFor()
    await tab.close()
  }

  test('tries it on past runs before it binds, and sees what holds in a scope', async () => {
    const { world } = web.stage
    const { id } = await world.admin.send<{ id: string }>('POST', '/v1/knowledge', {
      team_path: 'acme',
      name: 'no-tests',
      kind: 'guardrail',
      rule: 'true',
      message: 'Tests are elsewhere.',
    })
    await web.visit({ as: 'owner' }, async ({ page, open, settle }) => {
      await open(`/knowledge/${id}`)
      await page.getByRole('textbox', { name: 'Rule' }).fill('!task.commands.contains("12 tests")')
      await page.getByRole('combobox', { name: 'Runs of' }).click()
      await page.getByRole('option', { name: 'a pipeline' }).click()
      await page.getByRole('textbox', { name: 'Which' }).fill('acme/api')
      await page.getByRole('button', { name: 'Try the draft on past runs' }).click()
      await page.getByText(/^1 of 1 run would have gone otherwise/).waitFor()
      const row = page.getByRole('table', { name: 'Past runs' }).getByRole('row').filter({ hasText: 'acme/api' })
      for (const said of ['did not hold', 'would have been stopped', 'test/unit', 'Tests are elsewhere.']) {
        await row.getByText(said).waitFor()
      }
      assert.deepEqual(await findAxeFaults(page), [])
      await opensInNewTab(page, row)
      assert.equal(
        await page.getByRole('textbox', { name: 'Rule' }).inputValue(),
        '!task.commands.contains("12 tests")',
      )
      const stored = await world.admin.get<{ rule: string; revision: number }>(`/v1/knowledge/${id}`)
      assert.deepEqual([stored.rule, stored.revision], ['true', 1], 'nothing was saved')
      await page.waitForURL(/by=pipeline&of=acme%2Fapi/)
      await page.reload()
      await page.getByRole('button', { name: 'Try it on past runs' }).waitFor()
      assert.equal(await page.getByRole('combobox', { name: 'Runs of' }).inputValue(), 'a pipeline')
      assert.equal(await page.getByRole('textbox', { name: 'Which' }).inputValue(), 'acme/api')

      await open('/t/acme/knowledge')
      await page.getByRole('combobox', { name: 'Scope' }).fill(world.team.scope)
      await page.getByRole('button', { name: 'What holds there?' }).click()
      const holding = page.getByRole('table', { name: `What holds in ${world.team.scope}` })
      const item = holding.getByRole('row').filter({ hasText: 'acme/no-tests' })
      await item.getByText('acme, the team of the scope').waitFor()
      await page.getByText('none overrules another').waitFor()
      await page.reload()
      await item.waitFor()
      await settle()
      assert.deepEqual(await findAxeFaults(page), [])
      await page.getByRole('button', { name: 'Show all' }).click()
      await page.getByRole('table', { name: 'Knowledge', exact: true }).waitFor()
    })
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open('/t/acme/knowledge')
      const before = (await world.admin.get<unknown[]>('/v1/knowledge?limit=500')).length
      await page.getByRole('button', { name: 'Create an item' }).click()
      const dialog = page.getByRole('dialog')
      const tried = dialog.getByRole('button', { name: 'Try the draft on past runs' })
      await dialog.getByRole('textbox', { name: 'Name' }).fill('no-lint')
      assert.equal(await tried.count(), 0, 'without a rule nothing is tried')
      await dialog.getByRole('textbox', { name: 'Rule' }).fill('!task.commands.contains("12 tests")')
      await dialog.getByRole('textbox', { name: 'Message' }).fill('Tests are elsewhere.')
      const team = dialog.getByRole('textbox', { name: 'Team', exact: true })
      const which = dialog.getByRole('textbox', { name: 'Which' })
      await team.fill('acme/web')
      assert.equal(await which.inputValue(), 'acme/web', 'the trial follows the team')
      await dialog.getByRole('combobox', { name: 'Runs of' }).click()
      await page.getByRole('option', { name: 'a pipeline' }).click()
      await which.fill('acme/api')
      await team.fill('acme')
      assert.equal(await which.inputValue(), 'acme/api', 'what was typed in the trial stays')
      const newest = dialog.getByRole('textbox', { name: 'The newest' })
      await newest.fill('500')
      await newest.press('Enter')
      await dialog.getByText(/^1 of 1 run would have gone otherwise/).waitFor()
      await dialog.getByRole('table', { name: 'Past runs' }).getByText('would have been stopped').waitFor()
      assert.equal(await newest.inputValue(), '200', 'the most that are tried')
      assert.equal(await dialog.getByText('The form has changed since').count(), 0)
      assert.deepEqual(await findFaultsOfDialog(page), [])
      await opensInNewTab(page, dialog)
      assert.equal(await dialog.getByRole('textbox', { name: 'Name' }).inputValue(), 'no-lint')
      await dialog.getByText('reference', { exact: true }).click()
      await tried.waitFor({ state: 'detached' })
      assert.equal((await world.admin.get<unknown[]>('/v1/knowledge?limit=500')).length, before, 'nothing was saved')
    })
    await world.admin.send('DELETE', `/v1/knowledge/${id}`)
  })
})
