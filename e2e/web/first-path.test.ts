import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makePipeline } from '../house/team.ts'
import { describeWeb } from './visit.ts'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-e2e-gate-'))
// Tasks have accounts of their own.
chmodSync(folder, 0o711)
const gate = join(folder, 'open')
after(() => rmSync(folder, { recursive: true, force: true }))

const GATED = `name: gated
checkout: false
steps:
  - name: build
    tasks:
      - name: compile
        run: |
          echo before the gate
          while [ ! -e "$GATE" ]; do sleep 0.05; done
          echo behind the gate
        env: { GATE: "${gate}" }
`

describeWeb('the first path', (web) => {
  test('from signing in over the list of runs to a run with its log as it grows', async () => {
    const { house, world, people } = web.stage
    const { login, password } = people.operator
    const pipeline = await makePipeline(world.admin, world.team, GATED)

    await web.visit({}, async ({ page, open }) => {
      await open('/t/acme/runs')
      await page.getByRole('heading', { name: 'Sign in to Signalbox' }).waitFor()
      await page.getByLabel('Login').fill(login)
      await page.getByRole('textbox', { name: 'Password' }).fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()

      await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
      assert.equal(new URL(page.url()).hash, '#/t/acme/runs')
      const asked = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
      await house.api.send('POST', asked, { scope: world.team.scope })
      // Nothing moves under the pointer: what came is counted, and shown when it is asked for.
      await page.getByRole('button', { name: '1 new' }).click()
      await page.getByRole('link', { name: 'acme/gated' }).first().click()

      await page.getByRole('heading', { name: 'gated', level: 1 }).waitFor()
      const log = page.getByRole('log')
      await log.getByText('before the gate', { exact: true }).waitFor()
      assert.equal(await log.getByText('behind the gate', { exact: true }).count(), 0)
      writeFileSync(gate, '')
      await log.getByText('behind the gate', { exact: true }).waitFor()
      await page.locator('header').getByText('success').waitFor()
    })
  })
})
