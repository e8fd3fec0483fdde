import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePipeline } from '../house/team.ts'
import { describeWeb } from './visit.ts'

const TICKED = `name: ticked
checkout: false
steps:
  - name: tick
    tasks: [{ name: tock, run: echo tick }]
`

const DAY_MS = 86_400_000

describeWeb('a schedule', (web) => {
  /** A schedule of somebody, made by their token. */
  async function make(api: typeof web.stage.world.admin, name: string, more: object): Promise<string> {
    const pipeline = 'acme/ticked'
    const body = {
      path: 'acme',
      name,
      pipeline,
      scope: web.stage.world.team.scope,
      schedule_kind: 'recurring',
      ...more,
    }
    return (await api.send<{ id: string }>('POST', '/v1/schedules', body)).id
  }

  test('says in words and instants when it fires, across both changes of the clock, and its week', async () => {
    const { world } = web.stage
    await makePipeline(world.admin, world.team, TICKED)
    const id = await make(world.admin, 'hourly', { cron_expression: '15 * * * *', timezone: 'Europe/Berlin' })
    await web.visit({ as: 'owner' }, async ({ page, open, settle, expect }) => {
      expect(/^answer: POST \/v1\/schedules\/preview 400$/)
      await open('/t/acme/schedules')
      const week = page.getByRole('list').filter({ has: page.getByRole('heading', { level: 3 }) })
      await week.getByRole('link', { name: 'acme/hourly' }).first().waitFor()
      await settle()
      const days = week.locator('> li')
      assert.equal(await days.count(), 7)
      const named = page.getByRole('link', { name: 'acme/hourly' })
      assert.equal(await week.locator('> li:not(:first-child)').filter({ has: named }).count(), 6)
      // After 23:15 it does not fire again on this day.
      await days.first().filter({ has: named }).or(days.first().getByText('Nothing more today')).waitFor()

      await open(`/schedules/${id}?tab=document`)
      const expression = page.getByLabel('Expression')
      await expression.fill('30 2 * * 8')
      await page.locator('[aria-invalid=true]').and(expression).waitFor()
      await page.getByText('Correct the marked field').waitFor()
      // On the last Sundays of March and October the clock changes: the first has no 02:30, the second has two.
      await expression.fill('30 2 * 3,10 7L')
      await page.getByText('At 02:30, on the last Sunday of the month').first().waitFor()
      const instants = page.getByRole('table', { name: 'Next instants' })
      await instants.getByText('a change of the clock skips its local time').first().waitFor()
      await instants.getByText('the first of two equal local times').first().waitFor()
      assert.equal(await instants.getByText('the second of two equal local times').count(), 0)
      await page.getByRole('combobox', { name: 'A local time that the clock repeats fires' }).click()
      await page.getByRole('option', { name: 'Both times' }).click()
      await instants.getByText('the second of two equal local times').first().waitFor()

      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').waitFor()
      await page.locator('header').getByText('on the last Sunday of the month').waitFor()
    })
  })

  test('is left open overnight: its week goes on with the clock', async () => {
    await make(web.stage.world.admin, 'at-noon', { cron_expression: '0 12 * * *', timezone: 'Europe/Berlin' })
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await page.clock.install()
      await open('/t/acme/schedules')
      const days = page.getByRole('heading', { level: 3 })
      const [today, tomorrow] = [await days.nth(0).innerText(), await days.nth(1).innerText()]
      await page.clock.fastForward(DAY_MS)
      await days.first().filter({ hasText: tomorrow }).waitFor()
      assert.equal(await days.filter({ hasText: today }).count(), 0)
      assert.equal(await days.count(), 7)
      await days.last().locator('..').getByRole('link', { name: 'acme/at-noon' }).waitFor()
    })
  })

  test('whose owner lost the right tells by itself that it was denied, and why', async () => {
    const { world, house } = web.stage
    const { id: user } = await world.admin.send<{ id: string }>('POST', '/v1/users', { login: 'clockwright' })
    const grant = { subject: `user:${user}`, role: 'owner', team_path: 'acme' }
    const { id: right } = await world.admin.send<{ id: string }>('POST', '/v1/grants', grant)
    const { token } = await world.admin.send<{ token: string }>('POST', '/v1/tokens', { name: 'all', user_id: user })
    const id = await make(house.api.as(token), 'of-somebody-else', { cron_expression: '* * * * * *' })
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open(`/schedules/${id}`)
      const history = page.getByRole('table', { name: 'History' })
      await history.getByText('started', { exact: true }).first().waitFor()
      await world.admin.send('DELETE', `/v1/grants/${right}`)
      const row = history.getByRole('row').filter({ hasText: 'denied' }).first()
      await row.getByText('clockwright').waitFor()
      await page.getByRole('button', { name: 'Disable' }).click()
      await page.getByRole('button', { name: 'Enable' }).waitFor()
      await page.getByText('Enable it, and its next instants stand here.').waitFor()
    })
  })

  test('that was for once says with which instant it was over', async () => {
    const once = { schedule_kind: 'one_time', run_at: new Date(Date.now() + 3000).toISOString() }
    const id = await make(web.stage.world.admin, 'just-once', once)
    await web.visit({ as: 'viewer' }, async ({ page, open }) => {
      await open(`/schedules/${id}`)
      await page.getByText('It was over with its instant').waitFor()
      assert.equal(await page.getByText('It never fires').count(), 0)
    })
  })

  test('shows an instant that was missed, and why', async () => {
    const [id] = web.stage.world.ids.get('/v1/schedules') ?? []
    await web.visit({ as: 'viewer' }, async ({ page, open }) => {
      await open(`/schedules/${id}`)
      const why = /The scheduler came to it .+ late\. The grace is .+, and the misfire policy is skip\./
      const row = page.getByRole('table', { name: 'History' }).getByRole('row').filter({ hasText: why }).first()
      await row.getByText('missed', { exact: true }).waitFor()
      assert.equal(await row.getByRole('link', { name: 'Open the run' }).count(), 0)
    })
  })

  test('makes up for a past range, with its progress', async () => {
    const { world, house } = web.stage
    const id = await make(world.admin, 'daily', { cron_expression: '0 3 29 2 *', timezone: 'UTC' })
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open(`/schedules/${id}?tab=backfills`)
      await page.getByRole('button', { name: 'Backfill a past range' }).click()
      const form = page.getByRole('dialog')
      await form.getByLabel('From').fill('2015-01-01T00:00:00Z')
      await form.getByLabel('To').fill('2025-01-01T00:00:00Z')
      await form.getByRole('button', { name: 'Start it' }).click()
      await form.waitFor({ state: 'detached' })
      const row = page.getByRole('table', { name: 'Backfills' }).getByRole('row').nth(1)
      await row.getByText('3 of 3: 3 started').waitFor()
      await row.getByText('finished').waitFor()
    })
    const fires = await house.api.get<{ outcome: string }[]>(`/v1/schedules/${id}/fires`)
    assert.deepEqual(
      fires.map(({ outcome }) => outcome),
      ['started', 'started', 'started'],
    )
  })
})
