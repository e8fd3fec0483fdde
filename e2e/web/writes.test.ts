import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { findAxeFaults } from './axe.ts'
import { describeWeb } from './visit.ts'

/** Opens the form behind a button, which must be accessible as the pages are. */
async function openForm(page: Page, button: string): Promise<Locator> {
  await page.getByRole('button', { name: button }).first().click()
  const form = page.getByRole('dialog')
  await form.waitFor()
  assert.deepEqual(await findAxeFaults(page), [], `${button}: accessible`)
  return form
}

async function fill(form: Locator, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields))
    await form.locator('input, textarea').and(form.getByLabel(label)).first().fill(text)
}

async function send(form: Locator, button: string): Promise<void> {
  await form.getByRole('button', { name: button, exact: true }).click()
  await form.waitFor({ state: 'detached' })
}

function rowOf(page: Page, text: string): Locator {
  return page.getByRole('row').filter({ hasText: text })
}

describeWeb('an owner makes', (web) => {
  test('a secret, whose value no page shows', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open('/t/acme/secrets')
      const form = await openForm(page, 'Store a secret')
      await fill(form, { Name: 'written', Value: 'never-shown-again' })
      await send(form, 'Store')
      await rowOf(page, 'acme/written').waitFor()
      assert.equal((await page.content()).includes('never-shown-again'), false)
    })
  })

  test('a profile', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open('/t/acme/profiles')
      const form = await openForm(page, 'Create a profile')
      await fill(form, { Name: 'written', Image: 'node:24-slim' })
      await send(form, 'Create')
      await rowOf(page, 'written').waitFor()
    })
  })

  test('a team below the own one, and an environment of it', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open('/teams/acme')
      const team = await openForm(page, 'Create a team below')
      await fill(team, { Path: 'acme/written' })
      await send(team, 'Create')
      await open('/teams/acme%2Fwritten')
      const environment = await openForm(page, 'Create an environment')
      await fill(environment, { Name: 'staging' })
      await send(environment, 'Create')
      await rowOf(page, 'acme/written/staging').waitFor()
    })
  })

  test('a role for somebody', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open('/t/acme/members')
      const form = await openForm(page, 'Give a role')
      await form.locator('input').and(form.getByLabel('Who')).click()
      await page.getByRole('option', { name: 'acme-spare', exact: true }).first().click()
      await send(form, 'Give')
      await rowOf(page, 'acme-spare').first().waitFor()
    })
  })

  test('a token of a service account, shown once', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open('/t/acme/service-accounts')
      const form = await openForm(page, 'Create a service account')
      await fill(form, { Name: 'written' })
      await send(form, 'Create')
      await rowOf(page, 'acme/written').getByRole('button', { name: 'Tokens' }).click()
      const tokens = page.getByRole('dialog')
      await fill(tokens, { 'Name of a new token': 'deploy' })
      await tokens.getByRole('button', { name: 'Create a token' }).click()
      await tokens.getByText('It is shown this once.').waitFor()
      assert.deepEqual(await findAxeFaults(page), [], 'the shown token: accessible')
    })
  })

  test('a source with a secret of its own, reads what to paste, and changes for whom it speaks', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open('/t/acme/sources/new')
      const form = page.locator('main form')
      await fill(form, { Name: 'written' })
      await form.getByRole('button', { name: 'Create one' }).click()
      await form.locator('input').and(form.getByLabel('Repositories')).fill('acme/written')
      await page.keyboard.press('Enter')
      await form.getByRole('button', { name: 'Create the source' }).click()
      await page.getByRole('heading', { name: 'written', level: 1 }).waitFor()
      await page.getByText('secret:acme/written-webhook').waitFor()
      await form.locator('input').and(form.getByLabel('Repositories')).fill('acme/second')
      await page.keyboard.press('Enter')
      await form.locator('input').and(form.getByLabel('Seen by')).click()
      await page.getByRole('option', { name: 'Triggers of every team' }).click()
      await form.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Saved.', { exact: true }).waitFor()
      await page.getByText('seen by shared triggers').waitFor()
      await page.reload()
      await form.getByText('acme/written', { exact: true }).waitFor()
      await form.getByText('acme/second', { exact: true }).waitFor()
    })
  })

  test('a trigger, while all teams are shown', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open('/t/~/triggers')
      await page.getByRole('button', { name: 'Create a trigger' }).click()
      await page.getByRole('heading', { name: 'Create a trigger', level: 1 }).waitFor()
      const form = page.locator('main form')
      await fill(form, { Name: 'written', Pipeline: 'acme/build', Scope: 'acme/test' })
      await form.locator('input').and(form.getByLabel('Repositories')).fill('acme/written')
      await page.keyboard.press('Enter')
      await form.locator('input').and(form.getByLabel('Team')).click()
      await page.getByRole('option', { name: 'acme', exact: true }).click()
      await form.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('heading', { name: 'written', level: 1 }).waitFor()
    })
  })

  test('a schedule, whose instants are told while one types', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open('/t/acme/schedules/new')
      const form = page.locator('main form')
      await fill(form, { Name: 'written', Pipeline: 'acme/build', Scope: 'acme/test', Expression: '30 4 29 2 *' })
      await page.getByText('At 04:30, on day 29 of the month').waitFor()
      await form.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('heading', { name: 'written', level: 1 }).waitFor()
    })
  })

  test('the command of a new runner', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open('/t/acme/runners')
      const form = await openForm(page, 'Enrol a runner')
      await form.getByRole('button', { name: 'Create its command' }).click()
      await form.getByText('signalbox runner --url').waitFor()
      await form.getByText('Waiting for the runner.').waitFor()
      assert.deepEqual(await findAxeFaults(page), [], 'the command: accessible')
    })
  })

  test('an emergency of an own scope, and lifts it', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open('/emergencies')
      const form = await openForm(page, 'Declare an emergency')
      await fill(form, { Scope: 'acme/leaving', Why: 'A drill.' })
      await send(form, 'Stop everything there')
      await page.getByText('Emergency of acme/leaving').waitFor()
      await rowOf(page, 'acme/leaving').getByRole('button', { name: 'Lift' }).click()
      await send(page.getByRole('dialog'), 'Lift')
      await page.getByText('Emergency of acme/leaving').waitFor({ state: 'detached' })
    })
  })
})
