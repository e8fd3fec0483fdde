import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type GithubForge, startGithub } from '../forge/github/index.ts'
import { makePipeline } from '../house/team.ts'
import { findFaultsOfDialog, findFaultsOfPage } from './look.ts'
import { describeWeb } from './visit.ts'

const PAGE = '/system/git-apps'
/** Its runs wait until somebody ends them. */
const WAITING = `name: of-pulls
checkout: false
steps:
  - name: ask
    approval: { approvers: ["role:operator"] }
`

/** A part of the page by its heading. */
function part(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true })
}

/** Each story goes on where the one before ended. */
describeWeb('Git apps', (web) => {
  let forge: GithubForge

  before(async () => {
    forge = await startGithub()
    await forge.addRepository('octo/shop', { branches: ['main', 'next'] })
    await forge.addRepository('octo/tools', { branches: ['main'] })
  })
  after(async () => {
    // The stage belongs to other stories, too.
    const app = await web.stage.world.admin.get<{ source_id?: string | null }>('/v1/git-apps/github')
    await web.stage.world.admin.ask('DELETE', '/v1/git-apps/github')
    if (app.source_id) await web.stage.world.admin.ask('DELETE', `/v1/git-webhook-sources/${app.source_id}`)
    await forge.close()
  })

  test('a way back that belongs to nothing is told in words, and changes nothing', async () => {
    await web.visit({ as: 'administrator' }, async ({ page }) => {
      await page.goto(`${web.stage.house.url}/v1/git-apps/github/register/callback?code=guessed&state=guessed`)
      await page.waitForURL(/#\/system\/git-apps\?error=state_mismatch/)
      await page.getByRole('alert').getByText('The answer belongs to nothing that was begun here').waitFor()
      await part(page, 'Register an app').waitFor()
      assert.deepEqual(await web.stage.world.admin.get('/v1/git-apps/github'), {})
    })
  })

  test('a registration that failed is told, also where its browser never came back to the page', async () => {
    const begun = await web.stage.world.admin.send<{ state: string }>('POST', '/v1/git-apps/github/register/start', {
      organization: 'octo',
      base_url: forge.url,
      callback_url: web.stage.house.url,
    })
    const back = `/v1/git-apps/github/register/callback?code=unknown&state=${begun.state}`
    await fetch(`${web.stage.house.url}${back}`, { redirect: 'manual' })
    await web.visit({ as: 'administrator' }, async ({ page, open }) => {
      await open(PAGE)
      await page.getByRole('alert').getByText('The provider did not hand over the app').waitFor()
      assert.deepEqual(await findFaultsOfPage(page), [])
    })
  })

  test('a refused field is marked, and then the browser goes to the provider and comes back with the app', async () => {
    await web.visit({ as: 'administrator' }, async ({ page, open, expect }) => {
      await open(PAGE)
      assert.deepEqual(await findFaultsOfPage(page), [], 'before an app is registered')
      const form = part(page, 'Register an app')
      await form.getByLabel('Organization').fill('not a name')
      await form.getByLabel('Team of its source').click()
      await page.getByRole('option', { name: 'acme', exact: true }).click()
      await form.getByLabel('Address of the provider').fill(forge.url)
      expect(/^answer: POST \/v1\/git-apps\/github\/register\/start 400$/)
      await form.getByRole('button', { name: 'Go on at GitHub' }).click()
      await form.getByText('must be the name of an organization at the provider').waitFor()

      await form.getByLabel('Organization').fill('octo')
      await form.getByRole('button', { name: 'Go on at GitHub' }).click()
      // A page of the control plane posts the description there.
      await page.getByRole('button', { name: 'Go on to GitHub' }).click()
      await page.getByRole('button', { name: 'Create GitHub App for octo' }).click()
      await page.waitForURL(/#\/system\/git-apps\?outcome=registered/)
      await page.getByRole('status').getByText('The app is registered').waitFor()
      const keys = page.getByRole('table', { name: 'Keys of the app' })
      await keys.getByText('Private key').waitFor()
      await keys.getByText('Webhook secret').waitFor()
      assert.ok(!(await page.content()).includes('PRIVATE KEY-----'), 'no key is shown')
      // The browser asks for a picture of each site by itself.
      assert.deepEqual(
        forge.unexpected.filter((call) => !call.includes('/favicon.ico')),
        [],
      )
    })
  })

  test('it is installed, and a team sees its repositories with their branches', async () => {
    await web.visit({ as: 'administrator' }, async ({ page, open }) => {
      await open(PAGE)
      await page.getByRole('button', { name: 'Install at GitHub' }).click()
      await page.getByLabel('Only these repositories').fill('octo/shop')
      await page.getByRole('button', { name: 'Install', exact: true }).click()
      await page.waitForURL(/#\/system\/git-apps\?outcome=installed/)
      const row = page.getByRole('table', { name: 'Installations' }).getByRole('row').filter({ hasText: 'octo' })
      await row.getByText('active').waitFor()
      await row.getByRole('button', { name: 'Refresh' }).click()
      await row.getByText(/1 repository: \d came, 0 left/).waitFor()
      await row.getByRole('button', { name: 'Verify' }).click()
      await row.getByText('The provider gives tokens for it.').waitFor()

      const deliveries = page.getByRole('table', { name: 'Latest deliveries' })
      await deliveries.getByText('installation created').first().waitFor()

      await row.getByRole('button', { name: 'Repositories' }).click()
      await page.getByRole('dialog').getByText('octo/shop').waitFor()
      assert.deepEqual(await findFaultsOfDialog(page), [])
      await page.keyboard.press('Escape')
      await row.getByRole('button', { name: 'Teams' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Take acme away' }).waitFor()
      assert.deepEqual(await findFaultsOfDialog(page), [])
      await page.keyboard.press('Escape')
      assert.deepEqual(await findFaultsOfPage(page), [], 'with an app')
    })
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open('/t/acme/repositories')
      const row = page.getByRole('row').filter({ hasText: 'octo/shop' })
      await row.waitFor()
      assert.equal(await page.getByText('octo/tools').count(), 0, 'it was not given')
      await row.getByRole('button', { name: 'Branches' }).click()
      await page.getByRole('dialog').getByText('next').waitFor()
    })
  })

  test('another source takes the app for its secret; commands in comments stand on the pages of theirs, and of the run', async () => {
    const { admin, team } = web.stage.world
    const app = await admin.get<{ source_id: string }>('/v1/git-apps/github')
    await admin.send('PATCH', `/v1/git-webhook-sources/${app.source_id}`, { comment_commands: true })
    const pipeline = await makePipeline(admin, team, WAITING)
    const rule = { name: 'of-pulls', team_path: team.path, pipeline, scope: team.scope, repositories: ['octo/shop'] }
    await admin.send('POST', '/v1/triggers', { ...rule, source_id: app.source_id, events: ['pull_request'] })
    forge.permit('octo/shop', 'grace', 'write')
    const { number } = await forge.openPull('octo/shop', { head: 'next', by: 'grace' })
    await forge.mailbox.settle()
    forge.comment('octo/shop', number, 'grace', '/help')
    forge.comment('octo/shop', number, 'grace', '/cancel')
    await forge.mailbox.settle()
    const [run] = await admin.get<{ run_id: string }[]>(`/v1/runs?pipeline=${encodeURIComponent(pipeline)}`)
    let made: string | undefined
    await web.visit({ as: 'administrator' }, async ({ page, open }) => {
      await open(`/sources/${app.source_id}`)
      const row = page
        .getByRole('table', { name: 'Commands in comments' })
        .getByRole('row')
        .filter({ hasText: '/help' })
      await row.getByText('answered').waitFor()
      await row.getByText(`octo/shop #${number}`).waitFor()
      assert.deepEqual(await findFaultsOfPage(page), [], 'with a command')

      await open(`/runs/${run?.run_id}?tab=told`)
      const given = page
        .getByRole('table', { name: 'Commands in comments' })
        .getByRole('row')
        .filter({ hasText: '/cancel' })
      await given.getByText('canceled').waitFor()
      await given.getByText('grace', { exact: true }).waitFor()
      await part(page, 'Told to the provider').waitFor()
      assert.deepEqual(await findFaultsOfPage(page), [], 'a run with a command')

      await open('/t/acme/sources/new')
      const form = page.locator('main form')
      await form.locator('input').and(form.getByLabel('Name')).fill('by the app')
      await form.getByText('That of the Git app').click()
      await form.getByLabel('Address of the provider').fill(forge.url)
      await form.locator('input').and(form.getByLabel('Repositories')).fill('octo/shop')
      await page.keyboard.press('Enter')
      assert.deepEqual(await findFaultsOfPage(page), [], 'the form of a source')
      await form.getByRole('button', { name: 'Create the source' }).click()
      await page.getByRole('heading', { name: 'by the app', level: 1 }).waitFor()
      await page.getByText('app:github').first().waitFor()
      made = /sources\/([0-9a-f-]{36})/.exec(page.url())?.[1]
    })
    // The page of a source asks on: it would ask for one that is gone.
    await web.stage.world.admin.ask('DELETE', `/v1/git-webhook-sources/${made}`)
  })

  test('keys are rotated, and what was typed wrong is said', async () => {
    await web.visit({ as: 'administrator' }, async ({ page, open, expect }) => {
      await open(PAGE)
      await page.getByRole('button', { name: 'Record by id' }).click()
      await page.getByRole('dialog').getByLabel('Id of the installation').waitFor()
      assert.deepEqual(await findFaultsOfDialog(page), [])
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })

      await page.getByRole('button', { name: 'New keys' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Private key').fill('not a key')
      assert.deepEqual(await findFaultsOfDialog(page), [])
      expect(/^answer: PUT \/v1\/git-apps\/github 400$/)
      await dialog.getByRole('button', { name: 'Store', exact: true }).click()
      await dialog.locator('.mantine-InputWrapper-error').waitFor()
      await dialog.getByLabel('Private key').fill('')
      await dialog.locator('input').and(dialog.getByLabel('Webhook secret')).fill('a new secret of the webhook')
      await dialog.getByRole('button', { name: 'Store', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
      const keys = page.getByRole('table', { name: 'Keys of the app' })
      await keys.getByText('Webhook secret').nth(1).waitFor()
    })
  })

  test('the doctor names what the account took away, with its remedy, and a viewer sees nothing of the app', async () => {
    await web.visit({ as: 'administrator' }, async ({ page, open }) => {
      await open(PAGE)
      const doctor = part(page, 'Doctor')
      await doctor.getByRole('button', { name: 'Look for what is wrong' }).click()
      const found = doctor.getByRole('table', { name: 'What the doctor found' })
      await found.getByRole('row').filter({ hasText: 'Key' }).getByText('well').waitFor()

      const [installation] = forge.world.installations.values()
      assert.ok(installation)
      forge.suspend(installation)
      await forge.mailbox.settle()
      await doctor.getByRole('button', { name: 'Look for what is wrong' }).click()
      await found.getByText('suspended', { exact: false }).first().waitFor()
      await page.getByRole('table', { name: 'Installations' }).getByText('suspended').first().waitFor()
      assert.deepEqual(await findFaultsOfPage(page), [], 'with something wrong')
    })
    await web.visit({ as: 'viewer' }, async ({ page, open, expect }) => {
      expect(/^answer: GET \/v1\/git-apps\/github 403$/)
      await open(PAGE)
      await page.getByRole('alert').waitFor()
      assert.equal(await page.getByText('Keys of the app').count(), 0)
      assert.equal(await page.getByRole('link', { name: 'Git apps' }).count(), 0)
    })
  })

  test('it is forgotten, and can be registered anew', async () => {
    await web.visit({ as: 'administrator' }, async ({ page, open }) => {
      await open(PAGE)
      await page.getByRole('button', { name: 'Forget' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('It stays at the provider').waitFor()
      assert.deepEqual(await findFaultsOfDialog(page), [])
      await dialog.getByRole('button', { name: 'Forget' }).click()
      await part(page, 'Register an app').waitFor()
    })
  })
})
