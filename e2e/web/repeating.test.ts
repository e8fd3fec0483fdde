import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { runEnd } from '../house/runs.ts'
import { makePipeline } from '../house/team.ts'
import { describeWeb } from './visit.ts'

/** Fails until GOOD is yes. */
function document(more: string): string {
  return `name: repeated
checkout: false
variables: { GOOD: "no"${more === '' ? '' : `, ${more}: nobody`} }
steps:
  - name: build
    tasks: [{ name: compile, run: "echo compiled" }]
  - name: test
    depends_on: [build]
    tasks: [{ name: unit, run: "echo GOOD is $GOOD; [ $GOOD = yes ]" }]
  - name: deploy
    depends_on: [test]
    tasks: [{ name: ship, run: "echo shipped to \${${more === '' ? 'GOOD' : more}}" }]
`
}

describeWeb('a run is repeated', (web) => {
  /** Opens the dialog; `again` sends it, and answers the id of the new run. */
  async function choose(page: Page): Promise<{ readonly form: Locator; again(): Promise<string> }> {
    const before = page.url()
    await page.getByRole('button', { name: 'Run again…' }).click()
    const form = page.getByRole('dialog')
    return {
      form,
      async again() {
        await form.getByRole('button', { name: 'Run again', exact: true }).click()
        await form.waitFor({ state: 'detached' })
        await page.waitForURL((url) => url.href !== before)
        return new URL(page.url()).hash.split(/[/?]/)[2] ?? ''
      },
    }
  }

  const ended = (page: Page, status: string) => page.locator('header').getByText(status, { exact: true }).waitFor()

  /** What a task of the run said; of one that was taken over from another run, nothing. */
  async function said(id: string, step: string): Promise<string[]> {
    const lines = await web.stage.house.api.get<{ line: string }[]>(`/v1/runs/${id}/logs?step=${step}`)
    return lines.map(({ line }) => line)
  }

  test('from what failed with an edited variable, from a step, and by the newest document with a further one', async () => {
    const { world, house } = web.stage
    const pipeline = encodeURIComponent(await makePipeline(world.admin, world.team, document('')))
    const asked = { scope: world.team.scope }
    const { run_id: failed } = await house.api.send<{ run_id: string }>('POST', `/v1/pipelines/${pipeline}/runs`, asked)
    await runEnd(house.api, failed)
    await world.admin.send('PUT', `/v1/pipelines/${pipeline}`, { document: document('TARGET') })

    await web.visit({ as: 'operator' }, async ({ page, open, expect }) => {
      expect(/^answer: POST \/v1\/runs\/[^ ]+\/rerun 400$/)
      await open(`/runs/${failed}`)
      await ended(page, 'failure')

      // The step that succeeded is taken over; what did not is done again by the pinned document.
      const first = await choose(page)
      assert.ok(await first.form.getByLabel('What did not succeed').isChecked())
      assert.ok(await first.form.getByLabel('Version 1, as this run').isChecked())
      await first.form.getByLabel('GOOD').fill('yes')
      const mended = await first.again()
      await ended(page, 'success')
      assert.deepEqual(await said(mended, 'test'), ['GOOD is yes'])
      assert.deepEqual(await said(mended, 'deploy'), ['shipped to yes'])

      const second = await choose(page)
      await second.form.getByLabel('A step, and everything after it').check()
      await second.form.getByRole('combobox', { name: 'Step' }).click()
      await page.getByRole('option', { name: 'deploy' }).click()
      const fromStep = await second.again()
      await ended(page, 'success')
      assert.deepEqual([await said(fromStep, 'test'), await said(fromStep, 'deploy')], [[], ['shipped to yes']])

      const third = await choose(page)
      await third.form.getByLabel('All of it').check()
      await third.form.getByLabel('Another variable').fill('TARGET')
      await third.form.getByRole('button', { name: 'Add' }).click()
      await third.form.getByRole('textbox', { name: 'TARGET' }).fill('the moon')
      // The pinned document knows no such variable: the server says so at the field.
      await third.form.getByRole('button', { name: 'Run again', exact: true }).click()
      await third.form.getByText('is not a variable of acme/repeated').first().waitFor()
      await third.form.getByLabel('The newest version').check()
      const newest = await third.again()
      await ended(page, 'success')
      assert.deepEqual(await said(newest, 'deploy'), ['shipped to the moon'])
      const detail = await house.api.get(`/v1/runs/${newest}`)
      assert.partialDeepStrictEqual(detail, {
        pipeline_version: 2,
        variables: { GOOD: 'yes', TARGET: 'the moon' },
        rerun: { of: fromStep, mode: 'whole' },
      })
    })
  })
})
