import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeWeb } from './visit.ts'

/** The banner of emergencies waits for the stream of changes, however slow the machine is. */
const PATIENT = `
  const { setTimeout } = window
  window.setTimeout = (work, delay, ...more) => (delay === 4000 ? 0 : setTimeout(work, delay, ...more))
`

interface Run {
  readonly run_id: string
  readonly branch: string | null
  readonly pull_request: number | null
}

describeWeb('the ways between pages', (web) => {
  test('each page begins at its heading, also where one came by a link of the navigation or of a list', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      const focused = (name: string) => page.locator('h1:focus').filter({ hasText: name }).waitFor()
      await open('/t/acme/runs')
      await focused('Runs')
      await page.getByRole('link', { name: 'Triggers', exact: true }).click()
      await focused('Triggers')
      await page.getByRole('link', { name: 'Pipelines', exact: true }).press('Enter')
      await focused('Pipelines')
      await page
        .locator('[data-list-link]')
        .filter({ hasText: /build$/ })
        .first()
        .click()
      await focused('build')
    })
  })

  test('a page that is opened reads once whether there is an emergency: when it hears of changes', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open, settle }) => {
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.addInitScript(PATIENT)
      const answered = page.waitForResponse((response) => response.url().includes('/v1/emergencies'))
      await open('/t/acme/runs')
      await answered
      await settle()
      assert.equal(asked.filter((path) => path === '/v1/emergencies').length, 1)
      assert.ok(asked.indexOf('/v1/live') < asked.indexOf('/v1/emergencies'))
    })
  })

  test('from a run to the rule of the delivery that started it, which is marked and in view', async () => {
    const byEvents = await web.stage.world.admin.get<Run[]>('/v1/runs?teamId=acme&cause=event&limit=100')
    const caused = byEvents.find((run) => run.branch !== null && run.pull_request === null)
    assert.ok(caused, 'the delivery of a push has started a run')
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open(`/runs/${caused.run_id}`)
      await page.locator('header').getByRole('link', { name: 'a push' }).click()
      await page.getByRole('heading', { name: 'Delivery: push', level: 1 }).waitFor()
      assert.match(page.url(), /#\/sources\/[^/]+\/deliveries\/[^/]+\?run=/)
      const marked = page.locator('li[data-wanted]')
      await marked.getByRole('link', { name: 'Open the run' }).waitFor()
      assert.equal(await marked.count(), 1)
      const box = await marked.boundingBox()
      assert.ok(box && box.y >= 0 && box.y < 800, 'it is in view')
      await marked.getByRole('link', { name: 'Open the run' }).click()
      await page.waitForURL(`**/#/runs/${caused.run_id}*`)
    })
  })

  test('the frame shows the team of the object, and its pages lie one press away', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open(`/runs/${web.stage.runs.failed}`)
      const team = page.locator('nav[aria-label="Pages"] input').first()
      await page.waitForFunction(
        (input) => (input as { value?: string } | null)?.value === 'acme',
        await team.elementHandle(),
      )
      await page.getByRole('link', { name: 'Triggers', exact: true }).click()
      await page.waitForURL('**/#/t/acme/triggers')
    })
  })

  test('home leads to the runner that is away, and to the schedule that fires next', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open('/t/acme/home')
      const sick = page.getByRole('region', { name: 'Needs a look' })
      await sick.getByRole('link', { name: 'acme-first' }).click()
      await page.getByRole('heading', { name: 'acme-first', level: 1 }).waitFor()
    })
  })

  test('an external trigger is fired by whoever may start its pipeline, without its secret', async () => {
    await web.visit({ as: 'operator' }, async ({ page, open }) => {
      const [id] = web.stage.world.ids.get('/v1/external-triggers') ?? []
      await open(`/external-triggers/${id}`)
      await page.getByRole('button', { name: 'Fire it now' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Fire', exact: true }).click()
      await page.getByRole('heading', { name: 'build', level: 1 }).waitFor()
      await page.getByRole('link', { name: 'an external trigger' }).waitFor()
    })
  })

  test('from a secret to the pipeline that names it, and to the source that it proves, where it is rotated without a gap', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open('/t/acme/secrets')
      const row = page.getByRole('row').filter({ hasText: 'acme/webhook' })
      await page.getByRole('link', { name: 'acme/npm', exact: true }).click()
      await page.getByRole('heading', { name: 'npm', level: 1 }).waitFor()
      await page.getByRole('row').filter({ hasText: 'secrets.NPM' }).getByRole('link', { name: 'acme/build' }).waitFor()
      await page.getByText('No webhook source uses it').waitFor()
      await page.goBack()
      await row.getByRole('link', { name: 'acme/webhook' }).click()
      await page.getByRole('link', { name: 'acme-github' }).click()
      await page.getByRole('heading', { name: 'acme-github', level: 1 }).waitFor()
      await page.getByRole('button', { name: 'Rotate the secret' }).click()
      const form = page.getByRole('dialog')
      await form.locator('input').and(form.getByLabel('Value')).fill('a-value-that-nobody-sees-again')
      await form.getByRole('button', { name: 'Store' }).click()
      await page.getByText('Secret, version 2').waitFor()
      await page.getByText('Secret, version 1').waitFor()
      assert.ok(!(await page.content()).includes('a-value-that-nobody-sees-again'))
    })
  })
})
