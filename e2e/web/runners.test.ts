import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeWorkDir } from '../house/runner.ts'
import { surroundings } from '../house/surroundings.ts'
import { makePipeline } from '../house/team.ts'
import { describeWeb } from './visit.ts'

const place = makeWorkDir()
const gate = join(place, 'open')
after(() => rmSync(place, { recursive: true, force: true }))

const LONELY = `name: lonely
checkout: false
profile: acme/lonely
steps:
  - name: build
    tasks:
      - name: compile
        run: |
          while [ ! -e "$GATE" ]; do sleep 0.05; done
          echo at last
        env: { GATE: "${gate}" }
`

/** A shell of somebody who pastes a command; ended with all that it began when it is disposed of. */
function paste(command: string) {
  const folder = makeWorkDir()
  const shell = spawn('sh', ['-c', command], {
    cwd: folder,
    env: surroundings,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<void>((resolve) => shell.on('exit', () => resolve()))
  return {
    output: () => output,
    async [Symbol.asyncDispose]() {
      if (shell.exitCode === null && shell.pid !== undefined) process.kill(-shell.pid, 'SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

describeWeb('a queued run', (web) => {
  test('says what each runner says, its place and an estimate; a runner that the page enrols takes it', async () => {
    const { world, house } = web.stage
    await world.admin.send('POST', '/v1/profiles', {
      team_path: 'acme',
      name: 'lonely',
      executor: 'host',
      labels: ['lonely'],
    })
    const pipeline = encodeURIComponent(await makePipeline(world.admin, world.team, LONELY))
    const start = async (): Promise<string> => {
      const asked = { scope: world.team.scope }
      return (await house.api.send<{ run_id: string }>('POST', `/v1/pipelines/${pipeline}/runs`, asked)).run_id
    }
    const [first, second] = [await start(), await start()]

    await web.visit({ as: 'owner' }, async ({ page, open, context }) => {
      await open(`/runs/${second}`)
      const runners = page.getByRole('table', { name: 'Runners' })
      const builder = runners.getByRole('row').filter({ hasText: 'builder' })
      await builder.getByText('The runner lacks the label lonely.').waitFor()
      await page.getByText('Number 2: 1 run begins before it.').waitFor()
      await page.getByText('Nobody can say: too few runs began here in the last hour.').waitFor()

      const other = await context.newPage()
      await other.goto(`${house.url}/#/t/acme/runners`)
      await other.getByRole('button', { name: 'Enrol a runner' }).click()
      const dialog = other.getByRole('dialog')
      await dialog.locator('input').and(dialog.getByLabel('Labels')).fill('lonely')
      await other.keyboard.press('Enter')
      await dialog.getByRole('button', { name: 'Create its command' }).click()
      await dialog.getByText('Waiting for the runner.').waitFor()
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: house.url })
      await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
      await dialog.getByRole('button', { name: 'Copied' }).waitFor()
      const command = await other.evaluate<string>('navigator.clipboard.readText()')
      assert.match(
        command,
        /^printf %s sbxr_\w+ > token && signalbox runner --url 127\.0\.0\.1:\d+ --token-file token$/,
      )

      await using shell = paste(command)
      try {
        await dialog.getByText('has come.').waitFor()
        await dialog.getByRole('link', { name: 'Open it' }).click()
        await other.getByRole('heading', { level: 1 }).waitFor()
        const inHand = other.getByRole('table', { name: 'In hand' }).getByRole('row').filter({ hasText: 'compile' })
        await inHand.first().waitFor()
        await inHand
          .getByRole('link', { name: 'acme/lonely' })
          .and(other.locator(`[href*="${first}"]`))
          .waitFor()
        writeFileSync(gate, '')
        await other.getByText('Nothing in hand').waitFor()
        // The run's own page was never touched.
        await page.locator('header').getByText('success', { exact: true }).waitFor()
        await page.getByRole('log').getByText('at last', { exact: true }).waitFor()
      } catch (error) {
        throw new Error(`The shell said: ${shell.output()}`, { cause: error })
      }
    })
  })
})
