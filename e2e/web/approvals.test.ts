import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { makePipeline, REPOSITORY, type Team } from '../house/team.ts'
import { findAxeFaults } from './axe.ts'
import type { Visit } from './open-page.ts'
import { describeWeb } from './visit.ts'

const COMMIT = 'c0ffee'.padEnd(40, '1')

const SHIPPED = `name: shipped
checkout: false
steps:
  - name: release
    approval:
      approvers: ["role:operator"]
      required: 2
      message: Ship it?
      fields:
        - { name: ticket, type: text, required: true }
        - { name: region, type: choice, options: [eu, us], default: eu }
  - name: deploy
    depends_on: [release]
    tasks:
      - name: ship
        run: echo "shipping to $REGION for $TICKET"
        env:
          REGION: $steps.release.approval.outputs.region
          TICKET: $steps.release.approval.outputs.ticket
`

const LOOKED = `name: looked-at
checkout: false
steps:
  - name: look
    tasks: [{ name: around, run: echo a stranger was here }]
`

/** Tells of a pull request from a fork, as GitHub does. */
async function deliverPull(url: string, team: Team, action: 'opened' | 'synchronize', sha: string): Promise<void> {
  const repo = { id: 4711, full_name: REPOSITORY }
  const head = { ref: 'topic', sha, repo: { id: 4712, full_name: 'stranger/shop' } }
  const pull = { number: 72, title: 'From afar', state: 'open', head, base: { ref: 'main', repo } }
  const updated = action === 'opened' ? '2026-11-21T09:00:00Z' : '2026-11-21T10:00:00Z'
  const body = JSON.stringify({ action, number: 72, repository: repo, pull_request: { ...pull, updated_at: updated } })
  const answer = await fetch(`${url}/v1/git/webhooks/${team.sourceId}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-delivery': randomUUID(),
      'x-github-event': 'pull_request',
      'x-hub-signature-256': `sha256=${createHmac('sha256', team.webhookSecret).update(body).digest('hex')}`,
    },
    body,
  })
  assert.ok(answer.ok, await answer.text())
}

function button(at: Locator | Page, name: string): Locator {
  return at.getByRole('button', { name })
}

/** Whether a button is shown, and cannot be pressed. */
async function isOff(shown: Locator): Promise<boolean> {
  return (await shown.getAttribute('aria-disabled')) === 'true'
}

describeWeb('an approval', (web) => {
  /** Two people at the same page, in browsers of their own. */
  async function two(address: string, story: (one: Visit, other: Visit) => Promise<void>): Promise<void> {
    await web.visit({ as: 'operator' }, async (one) => {
      await one.open(address)
      await web.visit({ as: 'owner' }, async (other) => {
        await other.open(address)
        await story(one, other)
      })
    })
  }

  async function start(): Promise<string> {
    const { world, house } = web.stage
    const pipeline = encodeURIComponent(world.pipeline.replace(/build$/, 'shipped'))
    const { run_id: id } = await house.api.send<{ run_id: string }>('POST', `/v1/pipelines/${pipeline}/runs`, {
      scope: world.team.scope,
      clone_url: 'https://git.example/acme/shop.git',
      commit_sha: COMMIT,
    })
    return id
  }

  test('by two people: the other page hears of each vote, nobody votes twice, and the run goes on', async () => {
    const { world, house } = web.stage
    await makePipeline(world.admin, world.team, SHIPPED)
    const id = await start()
    await two(`/runs/${id}?tab=approvals`, async ({ page: one }, { page: other }) => {
      await one.getByText('0 of 2').waitFor()
      await other.getByText('0 of 2').waitFor()
      await one.getByText(COMMIT, { exact: true }).waitFor()
      await button(one, `Approve ${COMMIT.slice(0, 12)}`).click()
      await one.getByText('To approve, fill this in.').waitFor()
      await one.getByLabel('ticket').fill('OPS-1')
      await button(one, 'Approve').click()
      await one.getByText('You have approved it already').waitFor()
      assert.ok((await isOff(button(one, 'Approve'))) && (await isOff(button(one, 'Reject'))), 'one person, one vote')

      await other.getByText('1 of 2').waitFor()
      await other.getByRole('list', { name: 'Votes' }).getByText('web-operator').waitFor()
      await other.getByLabel('ticket').fill('OPS-2')
      await other.getByRole('combobox', { name: 'region' }).click()
      await other.getByRole('option', { name: 'us' }).click()
      await other.getByLabel('Comment').fill('after lunch')
      await button(other, 'Approve').click()

      const votes = one.getByRole('list', { name: 'Votes' })
      await votes.getByText('after lunch').waitFor()
      for (const page of [one, other]) await page.locator('header').getByText('success', { exact: true }).waitFor()
      assert.equal(await button(one, 'Reject').count(), 0, 'what is decided has no form')
    })
    const lines = await house.api.get<{ line: string }[]>(`/v1/runs/${id}/logs?step=deploy`)
    assert.deepEqual(
      lines.map(({ line }) => line),
      ['shipping to us for OPS-2'],
    )
  })

  test('that one of them refuses: the other reads why the run failed', async () => {
    const id = await start()
    await two(`/runs/${id}?tab=approvals`, async ({ page: one }, { page: other }) => {
      await other.getByLabel('Comment').fill('not on a Friday')
      await button(other, 'Reject').click()
      await one.locator('header').getByText('failure', { exact: true }).waitFor()
      await one.locator('header').getByText('rejected by web-owner: not on a Friday').waitFor()
    })
  })

  test('that was decided stands where nothing waits, with who decided and why, and leads to its run', async () => {
    const id = await start()
    await web.visit({ as: 'operator' }, async ({ page, open }) => {
      await open(`/runs/${id}?tab=approvals`)
      await page.getByLabel('Comment').fill('the last word')
      await button(page, 'Reject').click()
      await page.locator('header').getByText('failure', { exact: true }).waitFor()
    })
    await web.visit({ as: 'viewer' }, async ({ page, open, settle }) => {
      await open('/t/acme/approvals')
      await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor()
      const last = page
        .getByRole('table', { name: 'Decided last' })
        .getByRole('row')
        .filter({ hasText: 'the last word' })
      await last.getByText('web-operator rejected').waitFor()
      assert.ok((await page.getByRole('table', { name: 'Decided last' }).getByRole('row').count()) <= 6)
      await settle()
      assert.deepEqual(await findAxeFaults(page), [], 'the empty list: accessible')

      await page.getByRole('link', { name: 'All that was decided' }).click()
      await page.waitForURL(/approvals\?state=decided/)
      await page.reload()
      const all = page.getByRole('table', { name: 'Approvals' })
      await all.getByText('the last word').waitFor()
      await all.getByRole('row').filter({ hasText: 'the last word' }).getByRole('link').click()
      await page.waitForURL(new RegExp(`#/runs/${id}\\?tab=approvals`))
      await page.goBack()
      await all.getByText('the last word').waitFor()
      await page.getByText('Waiting for you', { exact: true }).click()
      await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor()
    })
  })

  test('of a pull request from a fork: of one commit, by a member; a newer commit needs its own', async () => {
    const { world, house } = web.stage
    const pipeline = await makePipeline(world.admin, world.team, LOOKED)
    const post = async (sha: string, action: string): Promise<string> => {
      const pull = {
        number: 71,
        title: 'From afar',
        draft: false,
        labels: [],
        head: { ref: 'topic', sha, repository: 'stranger/shop' },
        base: { ref: 'main', sha: '6'.repeat(40), repository: 'acme/shop' },
        from_fork: true,
        merged: false,
        author: null,
        web_url: null,
      }
      const event = { kind: 'pull_request', action, provider: 'github', after: sha, pull_request: pull }
      const asked = { ...event, repository: { full_name: 'acme/shop' }, pipeline, scope: world.team.scope }
      return (await house.api.send<{ run_id: string }>('POST', '/v1/git/events', asked)).run_id
    }
    const [old, newer] = ['a'.repeat(40), 'b'.repeat(40)]
    await web.visit({ as: 'operator' }, async ({ page, open }) => {
      await open('/t/acme/approvals')
      await page.getByRole('table', { name: 'Approvals' }).getByRole('row').nth(1).waitFor()
      const first = await post(old, 'opened')
      await page.getByRole('link', { name: 'acme/looked-at: fork' }).click()
      await page.waitForURL(new RegExp(`#/runs/${first}\\?tab=approvals`))
      await button(page, `Approve ${old.slice(0, 12)}`).waitFor()

      const second = await post(newer, 'synchronize')
      await page.locator('header').getByText('A newer commit of the pull request arrived.').waitFor()
      await page.getByText('Nobody was asked').waitFor()
      assert.equal(await button(page, 'Approve').count(), 0, 'nobody approves what is not the newest')

      await web.visit({ as: 'viewer' }, async (viewer) => {
        await viewer.open(`/runs/${second}?tab=approvals`)
        const approve = button(viewer.page, 'Approve')
        await approve.waitFor()
        assert.ok(await isOff(approve))
        assert.match(
          (await approve.getAttribute('aria-description')) ?? '',
          /run\.approve in acme\. An owner of acme can give it\.$/,
        )
        await open(`/runs/${second}?tab=approvals`)
        await page.getByText(newer, { exact: true }).waitFor()
        await button(page, `Approve ${newer.slice(0, 12)}`).click()
        await page.locator('header').getByText('success', { exact: true }).waitFor()
        await viewer.page.locator('header').getByText('success', { exact: true }).waitFor()
        await viewer.page.getByText('web-operator').waitFor()
      })
      const run = await house.api.get<{ approvals: unknown }>(`/v1/runs/${second}`)
      assert.partialDeepStrictEqual(run.approvals, [{ name: 'fork', decision: 'approve', commit_sha: newer }])
    })
  })

  test('of a commit that is no longer the newest is refused, and the newer commit is named', async () => {
    const { world, house } = web.stage
    const { team, admin } = world
    const pipeline = await makePipeline(admin, team, LOOKED.replace('looked-at', 'looked-at-once'))
    // A run of the newer commit would end the older by itself: none is started.
    const events = { events: ['pull_request'], actions: ['opened'] }
    const place = { team_path: team.path, source_id: team.sourceId, repositories: [REPOSITORY], scope: team.scope }
    await admin.send('POST', '/v1/triggers', { name: 'looked-at-once', pipeline, ...place, ...events })
    const [old, newer] = ['1'.repeat(40), '2'.repeat(40)]
    await deliverPull(house.url, team, 'opened', old)
    const [run] = await admin.get<{ run_id: string }[]>(`/v1/runs?commit=${old}`)
    await web.visit({ as: 'operator' }, async ({ page, open, expect }) => {
      expect(/^answer: POST \/v1\/runs\/[^ ]+\/approvals\/fork 409$/)
      await open(`/runs/${run?.run_id}?tab=approvals`)
      const approve = button(page, `Approve ${old.slice(0, 12)}`)
      await approve.waitFor()
      await deliverPull(house.url, team, 'synchronize', newer)
      await approve.click()
      await page.getByRole('alert').getByText(`The pull request is at ${newer} by now`).waitFor()
    })
    const after = await admin.get<{ status: string; approvals: unknown }>(`/v1/runs/${run?.run_id}`)
    assert.deepEqual([after.status, after.approvals], ['queued', []], 'what was refused decided nothing')
    await admin.send('POST', `/v1/runs/${run?.run_id}/cancel`)
  })
})
