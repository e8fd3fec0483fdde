import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makePipeline } from '../house/team.ts'
import { describeWeb, PHONE, type Web } from './visit.ts'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-e2e-run-page-'))
chmodSync(folder, 0o711)
const gate = join(folder, 'open')
after(() => rmSync(folder, { recursive: true, force: true }))

const RELEASE = `name: released
checkout: false
steps:
  - name: build
    tasks:
      - name: compile
        run: |
          echo before the gate
          while [ ! -e "$GATE" ]; do sleep 0.05; done
        env: { GATE: "${gate}" }
      - name: lint
        run: echo no fault
  - name: review
    depends_on: [build]
    approval:
      approvers: ["role:operator"]
      message: Ship it?
      fields: [{ name: ticket, type: text, required: true }]
  - name: deploy
    depends_on: [review]
    tasks: [{ name: ship, run: echo shipped }]
final_outputs:
  - name: notes
    format: markdown
    template: "# Done\\n\\n[site](https://site.example/a) [trap](javascript:alert(1)) <b>bold</b>"
`

/** Most tasks are skipped by their condition: a large run that takes no time. */
const LARGE = `name: large
checkout: false
steps:
${[0, 1, 2, 3, 4]
  .map(
    (step) => `  - name: s${step}
    depends_on: [${step === 0 ? '' : `s${step - 1}`}]
    matrix: { n: [${Array.from({ length: 100 }, (_, at) => `"${at}"`).join(', ')}] }
    tasks: [{ name: unit, run: "true", if: matrix.n == "99" }]`,
  )
  .join('\n')}
`

async function start({ stage: { world, house } }: Web, document: string): Promise<string> {
  const pipeline = await makePipeline(world.admin, world.team, document)
  const asked = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
  return (await house.api.send<{ run_id: string }>('POST', asked, { scope: world.team.scope })).run_id
}

describeWeb('the page of a run', (web) => {
  test('is followed live to its end, through an approval, with its graph by keyboard', async () => {
    const id = await start(web, RELEASE)
    await web.visit({ as: 'operator' }, async ({ page, open }) => {
      await open(`/runs/${id}`)
      const head = page.locator('header')
      const graph = page.getByRole('application', { name: 'Graph of the steps' })
      await graph.getByText('compile', { exact: true }).waitFor()
      await graph.focus()
      await page.keyboard.press('ArrowRight')
      await page.waitForURL(/task=build%2Fcompile/)
      await page.getByRole('log').getByText('before the gate', { exact: true }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.waitForURL(/task=build%2Flint/)
      await page.keyboard.press('ArrowRight')
      await page.waitForURL(/task=review%2Fapproval/)

      writeFileSync(gate, '')
      await head.getByText('paused', { exact: true }).waitFor()
      await page.getByRole('tab', { name: 'Approvals (1 waiting)' }).click()
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByText('To approve, fill this in.').waitFor()
      await page.getByLabel('ticket').fill('OPS-1')
      await page.getByRole('button', { name: 'Approve' }).click()
      await head.getByText('success', { exact: true }).waitFor()
      await page.getByRole('list', { name: 'Votes' }).getByText('OPS-1').waitFor()

      await page.getByRole('tab', { name: 'Final outputs' }).click()
      await page.getByRole('heading', { name: 'Done' }).waitFor()
      const links = page.getByRole('tabpanel').getByRole('link')
      assert.deepEqual(await links.allTextContents(), ['site'])
      await page.getByText('(site.example)').waitFor()
      await page.getByText('<b>bold</b>').waitFor()
    })
  })

  test('of 500 tasks is folded, unfolded, and windowed', async () => {
    const id = await start(web, LARGE)
    await web.visit({ as: 'viewer' }, async ({ page, open }) => {
      await open(`/runs/${id}`)
      await page.locator('header').getByText('success', { exact: true }).waitFor()
      const graph = page.getByRole('application', { name: 'Graph of the steps' })
      await graph.getByText('unit-*').first().waitFor()
      await page.getByRole('button', { name: 'Unfold all 500 tasks' }).click()
      await graph.getByText('unit-0', { exact: true }).first().waitFor()
      await graph.focus()
      await page.keyboard.press('End')
      await page.waitForURL(/task=s4%2Funit-\d+/)

      await page.getByText('Timeline', { exact: true }).click()
      const timeline = page.getByRole('treegrid', { name: 'Timeline' })
      // The head, the queue, five steps and their tasks.
      assert.equal(await timeline.getAttribute('aria-rowcount'), String(1 + 1 + 5 + 500))
      await timeline.locator('[aria-selected="true"]').getByText('unit-').waitFor()
      assert.ok((await timeline.getByRole('row').count()) < 100, 'only rows in sight are drawn')
      await timeline.focus()
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowDown')
      await page.waitForURL(/task=s0(&|$)/)
    })
  })

  test('says of a queued run what each runner says, on a phone too', async () => {
    await web.visit({ as: 'viewer', size: PHONE }, async ({ page, open }) => {
      await open(`/runs/${web.stage.runs.queued}`)
      await page.getByRole('heading', { name: 'What each runner says' }).waitFor()
      await page.getByText('The runner lacks the label rare.').first().waitFor()
    })
  })
})
