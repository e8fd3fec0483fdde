import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import { startRunner } from '../../e2e/house/runner.ts'
import { makePipeline } from '../../e2e/house/team.ts'
import { waitFor } from '../../e2e/house/wait.ts'
import { catOf, expectLines, NEEDLE, packed, runToEnd, startRun, writeLines } from '../long-logs.ts'
import { type Bar, bar } from './bar.ts'
import { RUN_LINK } from './loading.ts'
import { type MeasuredPage, openMeasured } from './measured-page.ts'
import type { Painted, Wanted } from './probe.ts'
import { type Stand, TEAM } from './stand.ts'

const LINES = 1_000_000
const LAST_LINE_MS = 300
const FIRST_HIT_MS = 700
const SCROLLED_FOR_MS = 10_000
const FRAMES_A_SECOND = 50
const ROWS_IN_DOM = 150
const HEAP_MB = 150
const LINES_A_SECOND = 1000
/** `SIGNALBOX_BENCH_FOLLOW_SECONDS` makes it shorter, to try the benchmark itself. */
const FOLLOWED_SECONDS = Number(process.env['SIGNALBOX_BENCH_FOLLOW_SECONDS'] ?? 300)
/** Until the list is as long as it gets, and the page has drawn itself. */
const WARM_SECONDS = 5
const GROWTH_MB = 20
const LONGEST_TASK_MS = 200
const RUNS_SHOWN: Wanted = { selector: RUN_LINK, count: 50 }
const LAST_LINE: Wanted = { selector: '[role="log"] span', text: `${LINES - 1} in all` }
const HIT: Wanted = { selector: '[role="log"] [data-current] mark', text: 'somebody' }

/** A log of a million lines that a runner sent: its end, a search, scrolling; then one that grows for five minutes. */
export async function measureLog(stand: Stand): Promise<readonly Bar[]> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-web-log-'))
  chmodSync(folder, 0o755)
  const flags = ['--log-limit-mib', '1024', '--log-limit-lines', '10000000']
  const runner = await startRunner(stand.subject.house, { name: 'logs', capacity: 1, flags })
  try {
    return [...(await measureLong(stand, folder)), ...(await measureFollowed(stand, folder))]
  } finally {
    await runner.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureLong(stand: Stand, folder: string): Promise<readonly Bar[]> {
  const { subject, team } = stand
  const document = catOf(team, 'long', writeLines(folder, LINES))
  const { runId } = await runToEnd(subject, team, await makePipeline(subject.house.api, team, document))
  await expectLines(subject, runId, LINES)
  await packed(subject, runId)
  const context = await stand.openContext(RUNS_SHOWN)
  try {
    const opened = await openMeasured(context)
    await openLog(stand, opened, runId)
    const last = await bar('last of 1,000,000 lines drawn', LAST_LINE_MS, () => openLog(stand, opened, runId))
    const hit = await bar('first hit of a search in them', FIRST_HIT_MS, (round) =>
      search(opened, round % 2 === 0 ? NEEDLE : NEEDLE.toUpperCase()),
    )
    return [last, hit, await scroll(opened.page)]
  } finally {
    await context.close()
  }
}

/** From the list of runs to the last line of the log. The page is loaded anew: it knows nothing of the run. */
async function openLog(stand: Stand, { page, measure }: MeasuredPage, runId: string) {
  await page.goto('about:blank')
  await page.goto(stand.address(`/t/${TEAM}/runs`))
  await page.evaluate(() => window.bench.opened)
  return measure(() => page.evaluate(goTo, [`#/runs/${runId}`, LAST_LINE] as const))
}

/** Runs in the page. */
function goTo([hash, wanted]: readonly [hash: string, wanted: Wanted]): Promise<Painted> {
  const painted = window.bench.watch(wanted)
  location.hash = hash
  return painted
}

/** From the last letter of the text to the line that holds it, with the text marked. */
async function search({ page, measure }: MeasuredPage, text: string) {
  const field = page.getByLabel('Search the log')
  await field.fill('')
  await page.getByRole('button', { name: 'Last line' }).click()
  await page.evaluate((wanted) => window.bench.watch(wanted), { ...HIT, count: 0 })
  await field.focus()
  return measure(async () => {
    const painted = page.evaluate((wanted) => window.bench.watch(wanted), HIT)
    await page.keyboard.insertText(text)
    return painted
  })
}

/** Scrolls on each frame for a while, up from the middle of the log. */
async function scroll(page: Page): Promise<Bar> {
  const { frames, rows } = await page.evaluate(async (forMs) => {
    const list = document.querySelector('[role="log"]')
    if (!list) throw new Error('There is no log')
    const begun = performance.now()
    let count = 0
    let most = 0
    while (performance.now() - begun < forMs) {
      list.scrollTop -= 90
      await new Promise(requestAnimationFrame)
      count += 1
      most = Math.max(most, list.querySelectorAll('a[href*="line="]').length)
    }
    return { frames: (count * 1000) / (performance.now() - begun), rows: most }
  }, SCROLLED_FOR_MS)
  const cdp = await page.context().newCDPSession(page)
  return {
    figures: [
      { what: 'scrolling through them: frames', value: frames, unit: 'per second', atLeast: FRAMES_A_SECOND },
      { what: 'scrolling through them: rows in the DOM', value: rows, unit: '', atMost: ROWS_IN_DOM },
      { what: 'heap with them', value: await heapMb(cdp), unit: 'MB', atMost: HEAP_MB },
    ],
  }
}

/** The page follows a task that writes steadily; its heap is compared when nothing is left to collect. */
async function measureFollowed(stand: Stand, folder: string): Promise<readonly Bar[]> {
  const { subject, team } = stand
  const path = join(folder, 'steady.mjs')
  writeFileSync(path, writer(FOLLOWED_SECONDS + WARM_SECONDS))
  const run = `'${process.execPath}' '${path}'`
  const document = `name: steady\ncheckout: false\nsteps:\n  - name: only\n    tasks: [{ name: write, run: "${run}" }]\n`
  const runId = await startRun(subject, team, await makePipeline(subject.house.api, team, document))
  const context = await stand.openContext(RUNS_SHOWN)
  try {
    const { page } = await openMeasured(context)
    await page.goto(stand.address(`/runs/${runId}`))
    await page.getByRole('log').waitFor()
    await seeLine(page, WARM_SECONDS * LINES_A_SECOND)
    const cdp = await context.newCDPSession(page)
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
    const heap = await heapMb(cdp)
    const cpu = await cpuSeconds(cdp)
    const from = await page.evaluate(() => performance.now())
    await waitFor(
      'the writer to end',
      () => subject.house.api.get<{ status: string }>(`/v1/runs/${runId}`),
      ({ status }) => status === 'success',
      (FOLLOWED_SECONDS + 120) * 1000,
    )
    await seeLine(page, (FOLLOWED_SECONDS + WARM_SECONDS) * LINES_A_SECOND - 1)
    const { longest, many, seconds } = await page.evaluate((since) => {
      const held = window.bench.longTasks.filter((task) => task.from > since).map(({ ms }) => ms)
      return { longest: Math.max(0, ...held), many: held.length, seconds: (performance.now() - since) / 1000 }
    }, from)
    const used = (await cpuSeconds(cdp)) - cpu
    const what = `following ${LINES_A_SECOND} lines/s for ${FOLLOWED_SECONDS} s`
    return [
      {
        figures: [
          { what: `${what}: heap gained`, value: (await heapMb(cdp)) - heap, unit: 'MB', atMost: GROWTH_MB },
          { what: `${what}: longest task`, value: longest, unit: 'ms', atMost: LONGEST_TASK_MS },
          { what: `${what}: main thread`, value: (used / seconds) * 100, unit: '% of a core' },
          { what: `${what}: tasks above 50 ms`, value: many, unit: '' },
        ],
      },
    ]
  } finally {
    await context.close()
  }
}

/** A program that writes so many lines in each second, by the clock and not by its own pauses. */
function writer(seconds: number): string {
  return `const begun = Date.now()
for (let line = 0; line < ${seconds * LINES_A_SECOND}; ) {
  const due = Math.min(${seconds * LINES_A_SECOND}, ((Date.now() - begun) / 1000) * ${LINES_A_SECOND})
  let some = ''
  for (; line < due; line++) some += 'line ' + line + ': compiled src/module-' + (line % 997) + '.ts in ' + (line % 89) + ' ms\\n'
  process.stdout.write(some)
  await new Promise((done) => setTimeout(done, 20))
}
`
}

async function seeLine(page: Page, number: number): Promise<void> {
  const patienceMs = 120_000
  const least = (wanted: number): boolean => {
    const links = [...document.querySelectorAll('[role="log"] a[href*="line="]')]
    return links.some(({ textContent }) => Number(textContent?.replace('Line ', '')) >= wanted)
  }
  await page.waitForFunction(least, number, { timeout: patienceMs })
}

async function heapMb(cdp: CDPSession): Promise<number> {
  // What the first collection lets go of, the second one takes.
  for (let round = 0; round < 2; round++) {
    await cdp.send('HeapProfiler.collectGarbage')
    await sleep(100)
  }
  return (await cdp.send('Runtime.getHeapUsage')).usedSize / 1e6
}

async function cpuSeconds(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
}
