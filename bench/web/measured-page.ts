import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import type { Painted } from './probe.ts'

/** Where the time of one round went, ms. Requests are counted once while several are open. */
export interface Round {
  readonly ms: number
  /** At least one request of the API waited for its answer. */
  readonly server: number
  /** At least one request sent, queued or received, and none waited: connections, files, bodies. */
  readonly network: number
  /** CPU time of the page's main thread: scripts; styles and layout; paint, parsing and the rest. */
  readonly script: number
  readonly layout: number
  readonly rest: number
  /** The longest time for which the main thread was held. */
  readonly longest: number
}

type Metrics = Readonly<Record<'ScriptDuration' | 'LayoutDuration' | 'RecalcStyleDuration' | 'TaskDuration', number>>

/** A page whose requests and main thread are watched. */
export interface MeasuredPage {
  readonly page: Page
  /** Does something, and tells where the time went until it was painted. */
  measure(act: () => Promise<Painted>): Promise<Round>
  close(): Promise<void>
}

export async function openMeasured(context: BrowserContext): Promise<MeasuredPage> {
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  // CPU time says the same on a busy machine; the clock does not.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  return {
    page,
    async measure(act) {
      await page.evaluate(() => performance.clearResourceTimings())
      const before = await metricsOf(cdp)
      const painted = await act()
      const after = await metricsOf(cdp)
      const waited = await page.evaluate(readWaits, painted)
      const cpu = (name: keyof Metrics): number => Math.max(0, after[name] - before[name]) * 1000
      const script = cpu('ScriptDuration')
      const layout = cpu('LayoutDuration') + cpu('RecalcStyleDuration')
      const rest = Math.max(0, cpu('TaskDuration') - script - layout)
      return { ms: painted.to - painted.from, ...waited, script, layout, rest }
    },
    close: () => page.close(),
  }
}

async function metricsOf(cdp: CDPSession): Promise<Metrics> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  const value = (name: string): number => metrics.find((each) => each.name === name)?.value ?? 0
  return {
    ScriptDuration: value('ScriptDuration'),
    LayoutDuration: value('LayoutDuration'),
    RecalcStyleDuration: value('RecalcStyleDuration'),
    TaskDuration: value('TaskDuration'),
  }
}

/** Runs in the page. */
function readWaits({ from, to }: Painted): Pick<Round, 'server' | 'network' | 'longest'> {
  type Span = readonly [begin: number, end: number]
  const sumOf = (spans: readonly Span[]): number => {
    let sum = 0
    let reached = from
    for (const [begin, end] of spans.toSorted((a, b) => a[0] - b[0])) {
      const last = Math.min(end, to)
      if (last > reached) sum += last - Math.max(begin, reached)
      reached = Math.max(reached, last)
    }
    return sum
  }
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter((entry) => entry instanceof PerformanceResourceTiming)
    // A stream is open all the time.
    .filter(({ name, startTime, responseEnd }) => startTime < to && responseEnd > from && !name.includes('/v1/live'))
  const api = entries.filter(({ name }) => new URL(name).pathname.startsWith('/v1/'))
  const waits = api.map(({ requestStart, responseStart }): Span => [requestStart, responseStart])
  const all = entries.map(({ startTime, responseEnd }): Span => [startTime, responseEnd])
  const server = sumOf(waits)
  const held = window.bench.longTasks.filter((task) => task.from < to && task.from + task.ms > from)
  return { server, network: sumOf([...waits, ...all]) - server, longest: Math.max(0, ...held.map(({ ms }) => ms)) }
}
