import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Api } from '../house/api.ts'
import { findAxeFaults } from './axe.ts'
import { PHONE, WIDE } from './open-page.ts'
import { callTool, type Plan, putBeforePerson, runOf } from './planned.ts'
import { describeWeb, type Web } from './visit.ts'

const HOSTILE = `no \u202egnp.exe\u202c <img src=x onerror="ran()"> [here](javascript:ran())`

/** An agent of the operator plans a run in the guarded environment, and confirms: a person is left to decide. */
async function planRun({ stage }: Web): Promise<Plan> {
  const agent = stage.world.members.operator
  const wanted = runOf(stage.world.pipeline, { scope: stage.guarded })
  return putBeforePerson(agent, await agent.send<Plan>('POST', '/v1/plans', wanted))
}

async function readPlan(api: Api, id: string): Promise<Plan> {
  return api.get<Plan>(`/v1/plans/${id}`)
}

function heading(page: Page, name: string) {
  return page.getByRole('heading', { name, exact: true })
}

describeWeb('what agents plan', (web) => {
  test('waits for a second person, who meets it on any page, reads what it does, and approves', async () => {
    const plan = await planRun(web)
    await web.visit({ as: 'owner' }, async ({ page, open, settle }) => {
      await open('/t/acme/runners')
      const banner = page.getByText('for you to decide:')
      await banner.waitFor()
      await page.getByRole('link', { name: /^Look at (it|them)$/ }).click()
      await page.waitForURL(/#\/plans/)
      await open(`/plans/${plan.id}`)
      await heading(page, 'What it does').waitFor()
      assert.ok((await page.getByRole('list', { name: 'What it does' }).getByRole('listitem').count()) > 0)
      await page.getByText('It waits for a person who may do the same.').waitFor()
      await page.getByLabel('Arguments').getByText(web.stage.guarded).waitFor()
      await settle()
      assert.deepEqual(await findAxeFaults(page), [], 'a plan: accessible')

      await web.visit({ as: 'viewer' }, async (other) => {
        other.expect(/^answer: GET \/v1\/plans\/[^ ]+ 404$/)
        await other.open(`/plans/${plan.id}`)
        await other.page.getByRole('alert').waitFor()
        assert.equal(await other.page.getByText(plan.target).count(), 0, 'who may not do it learns nothing of it')
      })

      await page.getByRole('button', { name: 'Approve: Start a run' }).click()
      await page.getByText('It was carried out.').waitFor()
      await page.getByText('Approved by web-owner').waitFor()
      await page.getByRole('list', { name: 'What was written' }).getByRole('link').first().click()
      await page.waitForURL(/#\/runs\//)
    })
    const after = await readPlan(web.stage.world.members.operator, plan.id)
    assert.deepEqual([after.status, after.decided_by?.name], ['confirmed', 'web-owner'])
    const runs = after.outcome?.resources.filter(({ kind }) => kind === 'run') ?? []
    assert.equal(runs.length, 1, 'one run')
  })

  test('is refused by one of two: the other page says so by itself, and shows the reason as text', async () => {
    const plan = await planRun(web)
    await web.visit({ as: 'owner', size: PHONE }, async ({ page, open }) => {
      await open(`/plans/${plan.id}`)
      await page.getByRole('button', { name: 'Refuse', exact: true }).waitFor()
      await web.visit({ as: 'administrator' }, async (other) => {
        await other.open('/plans')
        await other.page.getByRole('table', { name: 'Plans' }).getByRole('link').first().waitFor()
        await other.open(`/plans/${plan.id}`)
        await other.page.getByRole('button', { name: 'Refuse', exact: true }).click()
        await other.page.getByLabel('Reason').fill(HOSTILE)
        await other.page.getByRole('button', { name: 'Refuse it' }).click()
        await other.page.getByText('It was refused: nothing was done.').waitFor()
      })
      await page.getByText('It was refused: nothing was done.').waitFor()
      await page.locator('blockquote').getByText('<img src=x onerror="ran()">').waitFor()
      assert.equal(await page.locator('main img').count(), 0)
      assert.equal(await page.getByRole('button', { name: 'Approve: Start a run' }).count(), 0)
    })
    assert.equal((await readPlan(web.stage.world.members.operator, plan.id)).status, 'refused')
  })

  test('and is no longer true is not done: the page says what changed, and leads to the fresh plan', async () => {
    const plan = await planRun(web)
    const { world } = web.stage
    await web.visit({ as: 'owner' }, async ({ page, open, expect }) => {
      expect(/^answer: POST \/v1\/plans\/[^ ]+\/approve 409$/)
      await open(`/plans/${plan.id}`)
      const approve = page.getByRole('button', { name: 'Approve: Start a run' })
      await approve.waitFor()
      const path = `/v1/pipelines/${encodeURIComponent(world.pipeline)}`
      const { document } = await world.admin.get<{ document: string }>(path)
      await world.admin.send('PUT', path, { document: `${document}# Changed meanwhile.\n` })
      await approve.click()
      await page.getByText('What it counted on has changed since it was made: nothing was done.').waitFor()
      await page.getByRole('alert').waitFor()
    })
    const after = await readPlan(world.members.operator, plan.id)
    assert.deepEqual([after.status, after.outcome], ['stale', null])
  })
})

describeWeb('"Why?"', (web) => {
  test('of a run that waits: sentences, what to do, and the same in the tab', async () => {
    // Who sees the runners is told what they lack.
    await web.visit({ as: 'administrator' }, async ({ page, open, settle }) => {
      await open(`/runs/${web.stage.runs.queued}`)
      await heading(page, 'Why it waits').waitFor()
      const why = page.getByRole('list', { name: 'Why it waits' })
      await why.getByRole('listitem').first().waitFor()
      assert.match(await why.innerText(), /runner/)
      await page.getByRole('list', { name: 'What to do' }).getByRole('listitem').first().waitFor()
      await settle()
      assert.deepEqual(await findAxeFaults(page), [], 'why: accessible')
      await page.getByRole('tab', { name: 'Why', exact: true }).click()
      await page.waitForURL(/tab=why/)
      await page.reload()
      await why.getByRole('listitem').first().waitFor()
    })
  })

  test('of a run that failed: the task, the lines that tell why, and each leads to its place in the log', async () => {
    await web.visit({ as: 'viewer' }, async ({ page, open }) => {
      await open(`/runs/${web.stage.runs.failed}`)
      await page.getByRole('list', { name: 'In short' }).getByText('test/unit').first().waitFor()
      await page.getByRole('link', { name: 'Lines of the log, and what to do' }).click()
      const lines = page.getByRole('list', { name: 'Lines that tell why' })
      await lines.getByText('12 tests').waitFor()
      await lines.getByRole('link').first().click()
      await page.waitForURL(/task=test%2Funit/)
      await page.getByRole('log').getByText('12 tests').first().waitFor()
    })
  })

  test('of a push: asked by the form, kept in the address, and answered of its delivery, too', async () => {
    await web.visit({ as: 'editor' }, async ({ page, open }) => {
      await open('/why')
      await heading(page, 'Nothing is asked yet').waitFor()
      await page.getByLabel('Repository').fill('acme/shop')
      await page.getByLabel('Commit').fill('2222222')
      await page.getByRole('button', { name: 'Ask' }).click()
      await page.waitForURL(/#\/why\?repository=acme%2Fshop&commit=/)
      const why = page.getByRole('list', { name: 'Why' })
      await why.getByRole('listitem').first().waitFor()
      const said = await why.getByRole('listitem').first().innerText()
      await page.reload()
      await why.getByRole('listitem').first().waitFor()
      assert.equal(await why.getByRole('listitem').first().innerText(), said)
      await page.getByRole('list', { name: 'What it is about' }).getByRole('link').first().click()
      await heading(page, 'In short').waitFor()
      await why.getByRole('listitem').first().waitFor()

      await open('/why?repository=nobody/nothing')
      await why.getByRole('listitem').first().waitFor()
    })
  })
})

describeWeb('the page of agents', (web) => {
  test('shows the tools as a token with limits sees them, why others are hidden, and its calls', async () => {
    const { world, house } = web.stage
    const owner = (await world.admin.get<{ id: string; login: string }[]>('/v1/users?limit=500')).find(
      ({ login }) => login === 'web-owner',
    )
    const made = await world.admin.send<{ id: string; token: string }>('POST', '/v1/tokens', {
      name: 'reading-agent',
      user_id: owner?.id,
      read_only: true,
    })
    await callTool(world.admin.as(made.token), 'whoami', 'hostile <b>agent</b>/1')
    await web.visit({ as: 'owner' }, async ({ page, open, settle }) => {
      await open('/mcp')
      await page.getByText('plans a write', { exact: true }).first().waitFor()
      await page.getByRole('combobox', { name: 'Token' }).click()
      await page.getByRole('option', { name: /^reading-agent/ }).click()
      await page.waitForURL(new RegExp(`token=${made.id}`))
      await page.getByText('The token is limited to reading.').waitFor()
      const hidden = page.getByRole('list', { name: 'Hidden tools' })
      const reading = hidden.getByRole('listitem').filter({ hasText: 'The token only reads' })
      await reading.getByText('plan_start_run', { exact: true }).waitFor()
      await page.getByText('plans a write', { exact: true }).first().waitFor({ state: 'detached' })
      await page.getByRole('table', { name: 'Tools: runs' }).getByText('explain_run', { exact: true }).waitFor()
      const calls = page.getByRole('table', { name: 'Calls' })
      await calls.getByText('whoami', { exact: true }).first().waitFor()
      await calls.getByText('hostile <b>agent</b>/1').waitFor()

      for (const size of [PHONE, WIDE]) {
        await page.setViewportSize(size)
        const name = page.getByText('compare_with_success', { exact: true }).first()
        const lines = await name.evaluate((element) => element.getClientRects().length)
        assert.equal(lines, 1, 'the name of a tool is never broken')
      }

      await page.getByRole('tab', { name: 'VS Code' }).click()
      await page.waitForURL(/client=vscode/)
      const pasted = page.getByLabel('Configuration of VS Code')
      await pasted.getByText('promptString').waitFor()
      assert.ok((await pasted.innerText()).includes(`${house.url}/v1/mcp`))
      await settle()
      assert.deepEqual(await findAxeFaults(page), [], 'the page of agents: accessible')
    })
  })

  test('leaves its calls in the audit, which finds them by tool and client', async () => {
    const { world } = web.stage
    await callTool(world.admin, 'whoami', 'finder/1')
    await web.visit({ as: 'administrator' }, async ({ page, open }) => {
      await open('/audit')
      await page.getByLabel('Tool of agents').fill('whoami')
      await page.getByLabel('Client of agents').fill('finder/1')
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      await page.waitForURL(/tool=whoami&client=finder/)
      const records = page.getByRole('table', { name: 'Audit records' })
      await records.getByText('tool.called').first().waitFor()
      await page.getByLabel('Client of agents').fill('nobody/1')
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      await page.getByText('No record fits').waitFor()
      await page.reload()
      await page.getByText('No record fits').waitFor()
    })
  })
})
