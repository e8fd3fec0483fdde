import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makePipeline } from '../house/team.ts'
import { showIn } from './layout.ts'
import { PHONE } from './open-page.ts'
import { describeWeb, type Web } from './visit.ts'

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

/** How far a line may end from the box that it joins. */
const NEAR_PX = 4

/** What is wrong with the drawn line between two nodes of the graph; nothing where a person sees it join them. */
function findFaultsOfEdge(page: Page, from: string, to: string): Promise<string[]> {
  const asked = { ends: [from, to] as const, near: NEAR_PX }
  return page.evaluate(({ ends, near }) => {
    const boxOf = (id: string): DOMRect | undefined =>
      document.querySelector(`.react-flow__node[data-id="${id}"]`)?.getBoundingClientRect()
    const edge = document.querySelector<SVGGElement>(`.react-flow__edge[data-id="${ends.join(' ')}"]`)
    const path = edge?.querySelector<SVGPathElement>('.react-flow__edge-path')
    const matrix = path?.getScreenCTM()
    const [source, target] = ends.map(boxOf)
    if (!(edge && path && matrix && source && target)) return ['it is not drawn']
    const pointAt = (part: number): DOMPoint =>
      path.getPointAtLength(path.getTotalLength() * part).matrixTransform(matrix)
    const meets = (point: DOMPoint, x: number, box: DOMRect): boolean =>
      Math.abs(point.x - x) <= near && point.y >= box.top && point.y <= box.bottom
    const { stroke, strokeWidth, strokeOpacity, opacity } = getComputedStyle(path)
    const middle = pointAt(0.5)
    // Lines let the pointer through; for this look they stop it where nothing covers them.
    edge.style.pointerEvents = 'all'
    const seen = document.elementFromPoint(middle.x, middle.y)
    edge.style.pointerEvents = ''
    const faults = {
      'it does not begin at its box': !meets(pointAt(0), source.right, source),
      'it does not end at its box': !meets(pointAt(1), target.left, target),
      [`its stroke is ${stroke}`]: !stroke.startsWith('rgb('),
      [`its stroke is ${strokeWidth} wide`]: !(Number.parseFloat(strokeWidth) >= 1),
      'it is faint': strokeOpacity !== '1' || opacity !== '1',
      'it is hidden': !path.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
      'something covers it': !(seen && edge.contains(seen)),
    }
    return Object.entries(faults).flatMap(([fault, isThere]) => (isThere ? [fault] : []))
  }, asked)
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

  test('draws each dependency as a line between its two boxes, in both themes', async () => {
    await web.visit({ as: 'viewer' }, async ({ page, open }) => {
      await open(`/runs/${web.stage.runs.succeeded}`)
      const graph = page.getByRole('application', { name: 'Graph of the steps' })
      await graph.getByText('browser', { exact: true }).waitFor()
      for (const scheme of ['light', 'dark'] as const) {
        await showIn(page, scheme)
        // Between steps, and between tasks within a step.
        for (const [from, to] of [
          ['build', 'test'],
          ['test/unit', 'test/browser'],
        ] as const) {
          assert.deepEqual(await findFaultsOfEdge(page, from, to), [], `${from} to ${to}, ${scheme}`)
        }
      }
      assert.equal(await page.locator('.react-flow__edge').count(), 2, 'no line without a dependency')
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
