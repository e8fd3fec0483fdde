import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { startSharedDatabase } from '../house/database.ts'
import { type House, makeDataDir, startHouse } from '../house/house.ts'
import { startRunner } from '../house/runner.ts'
import { runEnd } from '../house/runs.ts'
import { makePipeline, makeTeam, type Team } from '../house/team.ts'
import { PHONE } from './open-page.ts'
import { makePeople } from './people.ts'
import { describeWeb, visit, type Web } from './visit.ts'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-e2e-log-'))
chmodSync(folder, 0o755)
after(() => rmSync(folder, { recursive: true, force: true }))

interface Row {
  readonly number: number
  readonly text: string
}

async function start({ api }: House, team: Team, document: string): Promise<string> {
  const pipeline = await makePipeline(api, team, document)
  const asked = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
  return (await api.send<{ run_id: string }>('POST', asked, { scope: team.scope })).run_id
}

async function startAndEnd({ stage: { house, world } }: Web, document: string): Promise<string> {
  const id = await start(house, world.team, document)
  await runEnd(house.api, id)
  return id
}

function tell(page: Page): Locator {
  return page.getByRole('region', { name: 'Log' }).getByRole('status').first()
}

/** Waits until a line with this number, or a later one, is on the screen. */
async function seeLine(page: Page, number: number): Promise<void> {
  await page.waitForFunction((least) => {
    const numbers = [...document.querySelectorAll('[role="log"] a[href*="line="]')].map(({ textContent }) =>
      Number(textContent?.replace('Line ', '')),
    )
    return Math.max(-1, ...numbers) >= least
  }, number)
}

/** Scrolls from the first row to the last; answers every line that was shown. Fails where a line is shown twice at once. */
async function readWhole(page: Page): Promise<readonly Row[]> {
  await page.getByRole('button', { name: 'First line' }).click()
  return page.evaluate(async () => {
    const list = document.querySelector('[role="log"]')
    if (!list) throw new Error('There is no log')
    const seen = new Map<number, string>()
    const frame = (): Promise<unknown> => new Promise(requestAnimationFrame)
    const look = (): readonly Row[] =>
      [...list.querySelectorAll('a[href*="line="]')].map((link) => ({
        number: Number(link.textContent?.replace('Line ', '')),
        text: link.parentElement?.lastElementChild?.textContent ?? '',
      }))
    for (let last = -1; list.scrollTop !== last; ) {
      last = list.scrollTop
      let rows: readonly Row[]
      do {
        await frame()
        await frame()
        rows = look()
      } while (rows.length === 0 || rows.some(({ text }) => text === '…'))
      if (new Set(rows.map(({ number }) => number)).size < rows.length) throw new Error('A line is shown twice')
      for (const { number, text } of rows) seen.set(number, text)
      list.scrollTop += list.clientHeight / 2
    }
    return [...seen].map(([number, text]) => ({ number, text })).toSorted((a, b) => a.number - b.number)
  })
}

const FOLDED = `name: folded
checkout: false
steps:
  - name: build
    tasks:
      - name: install
        run: |
          echo '::group::Fetch'
          for i in $(seq 1 150); do echo "part $i"; done
          echo 'a needle in a fold'
          for i in $(seq 1 150); do echo "piece $i"; done
          echo '::endgroup::'
          echo installed
      - name: test
        depends_on: [install]
        run: |
          for i in $(seq 1 200); do echo "test $i"; done
          echo 'a Needle in a section'
          echo 'the last needle'
`

/** What a task can write to harm who reads it, as bytes. */
const HOSTILE = Buffer.concat(
  [
    '<script>window.harmed = 1</script><img src=x onerror="window.harmed = 1">',
    'javascript:window.harmed=1 https://site.example/a',
    '\u001b]8;;javascript:window.harmed=1\u001b\\press here\u001b]8;;\u001b\\',
    '\u001b]8;;https://evil.example/x\u001b\\https://good.example/\u001b]8;;\u001b\\',
    'safe \u202etxt.exe\u202c \u200bhidden',
    'x'.repeat(65_535),
    `tower a${'\u0301'.repeat(100_000)}`,
    '10%\r20%\rdone',
    'up\u001b[2A and \u001b[10;20Hthere\u001b[2J\u001b[?1049h\u0007\u0008',
    'nul \u0000 byte',
    Buffer.from([0x6c, 0x6f, 0x6e, 0x65, 0x20, 0xed, 0xa0, 0x80, 0xff]),
    '::group::<b>fold</b> \u202eever',
    'within',
    '::endgroup::',
    'the end of it',
  ].flatMap((line) => [Buffer.from(line), Buffer.from('\n')]),
)

function counting(end: string): string {
  return `name: counting
checkout: false
steps:
  - name: count
    tasks:
      - name: lines
        run: |
          i=0
          until test -e ${end}; do echo "line $i"; i=$((i+1)); sleep 0.02; done
          echo "last $i"
`
}

describeWeb('the log', (web) => {
  test('is searched through closed folds and sections, linked to, copied and downloaded', async () => {
    const id = await startAndEnd(web, FOLDED)
    await web.visit({ as: 'operator' }, async ({ page, context, open }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: web.stage.house.url })
      await open(`/runs/${id}`)
      const log = page.getByRole('log')
      await log.getByText('the last needle').waitFor()
      await page.getByRole('button', { name: 'First line' }).click()
      await log.getByRole('button', { name: 'Fetch' }).click()
      await log.getByText('installed').waitFor()
      const section = log.getByRole('button', { name: 'build / test' })
      await section.click()
      await log.locator('[aria-expanded="false"]', { hasText: 'build / test' }).waitFor()

      const search = page.getByLabel('Search the log')
      await search.fill('NEEDLE')
      const current = log.locator('[data-current]')
      await current.getByText('a needle in a fold').waitFor()
      await tell(page).getByText('1 of 3').waitFor()
      await search.press('Enter')
      await current.getByText('a Needle in a section').waitFor()
      await page.getByRole('button', { name: 'Next hit' }).click()
      await current.getByText('the last needle').waitFor()
      await page.getByRole('button', { name: 'Next hit' }).click()
      await current.getByText('a needle in a fold').waitFor()
      await page.getByRole('button', { name: 'Previous hit' }).click()
      await tell(page).getByText('3 of 3').waitFor()
      await search.fill('[it]est (17|18)[0-9]$')
      await page.getByLabel('Expression').check()
      await tell(page).getByText('1 of 20').waitFor()
      await current.getByText('test 170', { exact: true }).waitFor()
      await page.waitForURL(/find=.*expression=true/)

      await log.getByRole('link', { name: 'Line 170', exact: true }).click()
      await log.getByRole('link', { name: 'Line 172', exact: true }).click({ modifiers: ['Shift'] })
      await page.waitForURL(/line=build%2Ftest%2F1%3A170-172/)
      await page.reload()
      await tell(page).getByText('1 of 20').waitFor()
      await log.locator('[data-chosen]').nth(2).waitFor()
      assert.deepEqual(await log.locator('[data-chosen] mark').count(), 0, 'an expression marks nothing')
      await page.getByRole('button', { name: 'Copy 3 lines' }).click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'test 171\ntest 172\ntest 173')

      const downloading = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download' }).click()
      const text = readFileSync(await (await downloading).path(), 'utf8')
      assert.match(text, /^piece 150$/m)
      assert.match(text, /^the last needle$/m)

      // A link to other lines of the same page, as it is pasted there.
      await page.evaluate(() => (location.hash = location.hash.replace(/line=[^&]*/, 'line=build%2Finstall%2F1%3A20')))
      await log.locator('[data-chosen]').getByText('part 20', { exact: true }).waitFor()
    })
  })

  test('goes to the lines of a link also where the network loses the first answer', async () => {
    const id = await startAndEnd(web, FOLDED.replace('name: folded', 'name: linked'))
    await web.visit({ as: 'operator' }, async ({ page, open, expect }) => {
      expect(/^request: GET \/v1\/runs\/[^ ]+ net::ERR_INTERNET_DISCONNECTED$/)
      await page.route('**/logs?*task=test*tail=*', (route) => route.abort('internetdisconnected'), { times: 1 })
      await open(`/runs/${id}?line=build%2Ftest%2F1%3A170-172`)
      await page.getByRole('log').locator('[data-chosen]').nth(2).waitFor()
    })
  })

  test('keeps whether lines wrap and show their times and numbers, for the next page too', async () => {
    await web.visit({ as: 'editor' }, async ({ page, open, settle }) => {
      await open(`/runs/${web.stage.runs.succeeded}`)
      const log = page.getByRole('log')
      await log.getByText('all pages').waitFor()
      const number = log.getByRole('link', { name: /^Line / }).first()
      await number.waitFor()
      await page.getByRole('button', { name: 'Look of the lines' }).click()
      const box = (name: string): Locator => page.getByRole('menuitemcheckbox', { name })
      assert.equal(await box('Wrap long lines').getAttribute('aria-checked'), 'false')
      for (const name of ['Wrap long lines', 'Times', 'Numbers']) await box(name).click()
      await log.locator('time').first().waitFor()
      await number.waitFor({ state: 'hidden' })
      await settle()
      await page.reload()
      await log.locator('time').first().waitFor()
      assert.equal(await log.getAttribute('data-wraps'), 'true')
      assert.equal(await number.count(), 0)
    })
  })

  test('has a bar of at most two rows on a phone, also with chosen lines and a search', async () => {
    await web.visit({ as: 'viewer', size: PHONE }, async ({ page, open }) => {
      await open(`/runs/${web.stage.runs.succeeded}`)
      await page.getByRole('log').getByText('all pages').waitFor()
      await page.getByLabel('Search the log').fill('part')
      await page.getByText('1 of 5', { exact: true }).waitFor()
      await page
        .getByRole('log')
        .getByRole('link', { name: /^Line / })
        .first()
        .click()
      await page.getByRole('button', { name: 'Copy the line' }).waitFor()
      const bar = page.getByRole('toolbar', { name: 'Log' })
      const middles = await bar.locator(':scope > *').evaluateAll((parts) =>
        parts
          .map((part) => part.getBoundingClientRect())
          .filter(({ height }) => height > 0)
          .map(({ top, height }) => top + height / 2),
      )
      const rows = middles.toSorted((a, b) => a - b).filter((at, index, all) => at - (all[index - 1] ?? -100) > 10)
      assert.ok(rows.length <= 2, `the bar has ${rows.length} rows`)
    })
  })

  test('shows what is written to harm its reader as text, each line in its row', async () => {
    const path = join(folder, 'hostile')
    writeFileSync(path, HOSTILE)
    const id = await startAndEnd(
      web,
      `name: hostile\ncheckout: false\nsteps:\n  - name: only\n    tasks: [{ name: cat, run: "cat ${path}" }]\n`,
    )
    for (const size of [undefined, PHONE]) {
      await web.visit({ as: 'viewer', ...(size ? { size } : {}) }, async ({ page, open }) => {
        page.on('dialog', (dialog) => assert.fail(`The page asks: ${dialog.message()}`))
        await open(`/runs/${id}`)
        const log = page.getByRole('log')
        await log.getByText('the end of it').waitFor()
        const rows = await readWhole(page)
        const texts = rows.map(({ text }) => text)
        const has = (text: string): void =>
          assert.ok(texts.includes(text), `${text}\n${texts.map((one) => one.slice(0, 90)).join('\n')}`)
        has('<script>window.harmed = 1</script><img src=x onerror="window.harmed = 1">')
        has('javascript:window.harmed=1 https://site.example/a')
        has('press here')
        has('https://good.example/ (evil.example)')
        has('safe [U+202E]txt.exe[U+202C] [U+200B]hidden')
        has('x'.repeat(65_535))
        has('done')
        has('up and there[U+0007][U+0008]')
        has('nul \ufffd byte')
        has('<b>fold</b> [U+202E]ever')
        assert.ok(texts.some((text) => /^lone \ufffd+$/.test(text)))
        const tower = texts.find((text) => text.startsWith('tower')) ?? ''
        assert.ok(tower.length < 20, `${tower.length} characters of marks`)

        await page.getByRole('button', { name: 'First line' }).click()
        await log.getByText('safe').waitFor()
        const links = await log
          .locator('a[target]')
          .evaluateAll((all) => all.map((each) => [each.getAttribute('href'), each.getAttribute('rel')]))
        const rel = 'noopener noreferrer nofollow'
        assert.deepEqual(links, [
          ['https://site.example/a', rel],
          ['https://evil.example/x', rel],
        ])
        assert.equal(await log.locator('script, img, b').count(), 0)
        assert.equal(await page.evaluate('window.harmed'), undefined)
        const heights = await log
          .locator('a[href*="line="]')
          .evaluateAll((all) => all.map((each) => each.parentElement?.getBoundingClientRect().height))
        assert.deepEqual([...new Set(heights)], [18], 'each line takes one row')
      })
    }
  })

  test('goes on by itself when the control plane is killed and when its database stops: no line is lost or doubled', async (context) => {
    await using opened = new AsyncDisposableStack()
    const database = opened.adopt(await startSharedDatabase(), (begun) => begun.stop())
    const dataDir = makeDataDir()
    opened.defer(() => rmSync(dataDir, { recursive: true, force: true }))
    const ports = { port: await freePort(), runnerPort: await freePort() }
    const env = {
      DATABASE_URL: database.url,
      SECRET_KEY: randomBytes(32).toString('hex'),
      // Longer than any start takes: a runner that lost its task writes no more lines.
      LEASE_SECONDS: '600',
      HEARTBEAT_SECONDS: '1',
    }
    let house = await startHouse({ dataDir, ports, env })
    opened.defer(() => house.stop())
    const team = await makeTeam(house.api, 'followed')
    const people = await makePeople(house.api, 'followed')
    const runner = opened.adopt(await startRunner(house, { name: 'steady', capacity: 1 }), (begun) => begun.stop())
    const end = join(folder, 'end')
    opened.defer(() => writeFileSync(end, ''))
    const id = await start(house, team, counting(end))
    const stored = async (): Promise<number> => {
      const [last] = await house.api.get<{ number: number }[]>(`/v1/runs/${id}/logs?tail=1`)
      return last?.number ?? -1
    }

    await visit({ browser: web.stage.browser, house, people }, { as: 'operator' }, async ({ page, open, expect }) => {
      expect(/^request: GET /)
      expect(/^answer: GET .* 50[03]$/)
      await open(`/runs/${id}`)
      await seeLine(page, 100)

      const log = page.getByRole('log')
      await log.hover()
      await page.mouse.wheel(0, -400)
      await page.getByRole('button', { name: /^\d+ new lines: follow$/ }).click()
      await seeLine(page, await stored())

      const cancel = page.getByRole('button', { name: 'Cancel' })
      const banner = page.getByText('You see the last data, as of')
      const isBack = async (): Promise<void> => {
        // Within 5 s after the control plane answers again.
        await banner.waitFor({ state: 'detached', timeout: 5000 })
        await seeLine(page, (await stored()) + 20)
        await page.waitForFunction(() => document.querySelector('header [aria-disabled="true"]') === null)
      }
      await house.kill('SIGKILL')
      await page.getByText('The control plane does not answer.').waitFor()
      await banner.locator('time').waitFor()
      assert.equal(await cancel.getAttribute('aria-disabled'), 'true')
      house = await startHouse({ dataDir, ports, env })
      await isBack()

      await visit({ browser: web.stage.browser, house, people }, { as: 'viewer' }, async (idle) => {
        idle.expect(/^answer: GET .* 503$/)
        await idle.open('/preferences')
        const seen = Promise.withResolvers<void>()
        const away = database.leave(seen.promise)
        const said = 'The control plane cannot reach its database.'
        await page.getByText(said).waitFor()
        assert.equal(await cancel.getAttribute('aria-disabled'), 'true')
        // A page that only waits asks nothing: the stream of changes tells it.
        await idle.page.getByText(said).waitFor()
        seen.resolve()
        await away
        await idle.page.getByText(said).waitFor({ state: 'detached' })
        await isBack()
      })

      writeFileSync(end, '')
      await log.getByText(/^last \d+$/).waitFor()
      await page.locator('header').getByText('success', { exact: true }).waitFor()
      const rows = await readWhole(page)
      const written = rows.length - 1
      assert.ok(written > 140, `${written} lines`)
      const expected = Array.from({ length: written }, (_, at) => ({ number: at, text: `line ${at}` }))
      assert.deepEqual(rows, [...expected, { number: written, text: `last ${written}` }])
    }).catch((error: unknown) => {
      context.diagnostic(runner.output().slice(-2000))
      throw error
    })
  })
})
