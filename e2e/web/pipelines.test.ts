import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { runEnd } from '../house/runs.ts'
import { makePipeline } from '../house/team.ts'
import { PHONE } from './open-page.ts'
import { describeWeb } from './visit.ts'

function sound(name: string): string {
  return `name: ${name}
checkout: false
variables: { GREETING: hello }
steps:
  - name: build
    tasks:
      - name: compile
        run: echo "$GREETING"
  - name: test
    depends_on: [build]
    tasks:
      - { name: unit, run: echo tested }
`
}

describeWeb('pipelines', (web) => {
  /** Opens the editor and puts the cursor at the end of the text. */
  async function begin(page: Page, label: string): Promise<void> {
    await page.getByRole('textbox', { name: label }).click()
    await page.keyboard.press('Control+End')
  }

  test('an error mended in the editor: its place is shown, a press leads there, and the save waits until it is mended', async () => {
    const { world } = web.stage
    const identifier = await makePipeline(world.admin, world.team, sound('mended'))
    await web.visit({ as: 'editor' }, async ({ page, open }) => {
      await open(`/pipelines/${encodeURIComponent(identifier)}/edit`)
      const label = `Document of ${identifier}`
      await begin(page, label)
      await page.keyboard.type('# mended')
      await page.keyboard.press('Control+Home')
      for (let line = 1; line < 10; line += 1) await page.keyboard.press('ArrowDown')
      await page.keyboard.press('End')
      await page.keyboard.press('ArrowLeft')
      for (let letter = 0; letter < 5; letter += 1) await page.keyboard.press('Backspace')
      await page.keyboard.type('bild')
      const save = page.getByRole('button', { name: 'Save', exact: true })
      const problem = page.getByRole('list', { name: 'Problems' }).getByRole('button')
      await problem.filter({ hasText: '10:18' }).click()
      assert.equal(await save.getAttribute('aria-disabled'), 'true')
      // The press moved the cursor to the wrong name.
      await page.getByRole('textbox', { name: label }).focus()
      for (let letter = 0; letter < 4; letter += 1) await page.keyboard.press('Delete')
      await page.keyboard.type('buil')
      await page.getByRole('option', { name: 'build' }).click()
      await page.getByText('No problem').waitFor()
      await page.keyboard.press('Control+S')
      await page.getByRole('status').filter({ hasText: 'As in version 2' }).waitFor()
      // Escape leaves the editor; Tab then goes on through the page.
      await page.getByRole('textbox', { name: label }).focus()
      await page.keyboard.press('Escape')
      assert.equal(await page.evaluate('document.activeElement.closest(".cm-editor")'), null)
    })
    const { document } = await world.admin.get<{ document: string }>(`/v1/pipelines/${encodeURIComponent(identifier)}`)
    assert.equal(document, `${sound('mended')}# mended`)
  })

  test('a newer version met at save is shown with mine, and both are kept; unsaved work outlives a reload', async () => {
    const { world } = web.stage
    const identifier = await makePipeline(world.admin, world.team, sound('shared'))
    const route = `/v1/pipelines/${encodeURIComponent(identifier)}`
    await web.visit({ as: 'editor' }, async ({ page, open, expect }) => {
      expect(/^answer: PUT \/v1\/pipelines\/[^ ]+ 409$/)
      await open(`/pipelines/${encodeURIComponent(identifier)}/edit`)
      await begin(page, `Document of ${identifier}`)
      await page.keyboard.insertText('# mine\n')
      await page.getByRole('status').filter({ hasText: 'Changed since version 1' }).waitFor()
      await page.reload()
      await page.getByRole('button', { name: 'Go on with it' }).click()
      await page.getByText('# mine').waitFor()

      await world.admin.send('PUT', route, { document: `# theirs\n${sound('shared')}` })
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Version 2 was saved meanwhile').waitFor()
      await page.getByRole('button', { name: 'Take theirs' }).first().click()
      await page.getByRole('button', { name: 'Save this as version 3' }).click()
      await page.getByRole('status').filter({ hasText: 'As in version 3' }).waitFor()
    })
    const { document } = await world.admin.get<{ document: string }>(route)
    assert.equal(document, `# theirs\n${sound('shared')}# mine\n`)
  })

  test('what is unfolded in the graph stands in the address, beside the text and in the editor', async () => {
    const { world } = web.stage
    const units = ['a', 'b', 'c', 'd', 'e'].map((name) => `      - { name: unit-${name}, run: echo tested }\n`)
    const document = sound('unfolded').replace('      - { name: unit, run: echo tested }\n', units.join(''))
    const identifier = await makePipeline(world.admin, world.team, document)
    const address = `/pipelines/${encodeURIComponent(identifier)}`
    await web.visit({ as: 'editor' }, async ({ page, open, settle }) => {
      for (const opened of [`${address}?tab=document`, `${address}/edit`]) {
        await open(opened)
        const graph = page.getByRole('application', { name: 'Graph of the steps' })
        await graph.getByText('unit-*', { exact: true }).waitFor()
        // What the server says of the document draws the graph anew, between two clicks, too.
        await settle()
        await graph.getByText('unit-*', { exact: true }).dblclick()
        await graph.getByText('unit-c', { exact: true }).waitFor()
        await page.waitForURL(/[?&]open=/)
        await page.reload()
        await graph.getByText('unit-c', { exact: true }).waitFor()
        await page.getByRole('button', { name: 'Fold', exact: true }).click()
        await graph.getByText('unit-*', { exact: true }).waitFor()
        assert.doesNotMatch(page.url(), /open=/)
      }
    })
  })

  test('the first run by the form, on a phone: a value of a variable reaches the task', async () => {
    const { world, house } = web.stage
    const identifier = await makePipeline(world.admin, world.team, sound('started'))
    let run = ''
    await web.visit({ as: 'operator', size: PHONE }, async ({ page, open }) => {
      await open(`/pipelines/${encodeURIComponent(identifier)}`)
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      const form = page.getByRole('dialog', { name: `Run ${identifier}` })
      await form.getByLabel('GREETING').fill('good day')
      await form.getByLabel('Scope').fill(world.team.scope)
      await form.getByRole('heading').click()
      await form.getByRole('button', { name: 'Run', exact: true }).click()
      await page.waitForURL(/#\/runs\//)
      run = new URL(page.url()).hash.split(/[/?]/)[2] ?? ''
    })
    await runEnd(house.api, run)
    const lines = await house.api.get<{ line: string }[]>(`/v1/runs/${run}/logs?step=build`)
    assert.ok(
      lines.some(({ line }) => line === 'good day'),
      JSON.stringify(lines),
    )
  })
})
