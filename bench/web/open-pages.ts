import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMegabytes } from '../cpu.ts'
import type { Figure, Report } from '../report.ts'
import { percentile } from '../stats.ts'
import { measureIngress } from './open-pages-ingress.ts'
import { FOLLOWED_RUNS, openPages, openStand, PAGES, RUNS, type Stand, TABS, VIEWERS } from './open-pages-stand.ts'

// The process of `npm run bench -- open-pages`: 200 pages that stay open, three of them real tabs.

/** After work, the control plane collects its garbage and gives memory back. */
const QUIET_MS = 15_000
const IDLE_MS = 10_000
const EVENTS = 25
/** Longer than the window of 200 streams: the delay is that of a change by itself. */
const PAUSE_MS = 1200
/** What was told last has arrived by then. */
const LAST_MS = 1000

async function benchOpenPages(): Promise<Report> {
  await using opened = new AsyncDisposableStack()
  const stand = await openStand(opened)
  // Everything runs once before it is measured: V8 compiles, and PostgreSQL plans.
  await (await openPages(stand)).close()
  const without = await measureIdle(stand)
  const open = await openPages(stand)
  const withPages = await measureIdle(stand)
  const told = await measureEvents(stand)
  await open.requireLive()
  await open.close()
  const ingress = await measureIngress(stand)
  return {
    name: 'open-pages',
    says: `${PAGES} open pages of ${VIEWERS} accounts before one control plane with ${RUNS} runs, ${TABS} of them tabs of a browser`,
    figures: [...idleFigures(without, withPages), ...told, ...ingress.figures],
    tables: [ingress.table],
  }
}

interface Idle {
  readonly megabytes: number
  readonly cores: number
}

async function measureIdle({ subject }: Stand): Promise<Idle> {
  await sleep(QUIET_MS)
  const before = subject.cpu()
  await sleep(IDLE_MS)
  const after = subject.cpu()
  const cpu = after.server - before.server + after.postgres - before.postgres
  return { megabytes: residentMegabytes(subject.house.pid), cores: cpu / (IDLE_MS / 1000) }
}

function idleFigures(without: Idle, withPages: Idle): Figure[] {
  return [
    { what: 'control plane, no page: memory', value: without.megabytes, unit: 'MB' },
    { what: `with ${PAGES} pages`, value: withPages.megabytes, unit: 'MB' },
    { what: 'a page', value: ((withPages.megabytes - without.megabytes) / PAGES) * 1000, unit: 'kB' },
    { what: 'with PostgreSQL, idle, no page', value: without.cores * 100, unit: '% of a core' },
    { what: `idle, ${PAGES} pages`, value: withPages.cores * 100, unit: '% of a core' },
  ]
}

/** Changes of runs, committed one by one with their notification as a dispatcher does: when each page was told. */
async function measureEvents({ subject, pages, runIds }: Stand): Promise<Figure[]> {
  await pages.report()
  const told = new Map<string, number[]>()
  const before = subject.cpu()
  for (let event = 0; event < EVENTS; event++) {
    const id = runIds[1 + (event % (FOLLOWED_RUNS - 1))] ?? ''
    told.set(id, [...(told.get(id) ?? []), performance.timeOrigin + performance.now()])
    await subject.query(
      `with changed as (update runs set priority = priority where id = $1 returning id)
      select pg_notify('run_changed', id::text) from changed`,
      [id],
    )
    await sleep(PAUSE_MS)
  }
  await sleep(LAST_MS)
  const after = subject.cpu()
  const { heard, reads, failures } = await pages.report()
  if (Object.keys(failures).length > 0) throw new Error(`Pages failed: ${JSON.stringify(failures)}`)
  const delays = heard.map(([id, at]) => at - Math.max(...(told.get(id) ?? []).filter((when) => when <= at)))
  const perEvent = (seconds: number): number => (seconds / EVENTS) * 1000
  return [
    { what: 'commit to client: p50', value: percentile(delays, 0.5), unit: 'ms' },
    { what: 'commit to client: p99', value: percentile(delays, 0.99), unit: 'ms' },
    { what: 'events that pages heard of by name', value: heard.length, unit: '' },
    { what: 'requests of all pages for an event', value: reads / EVENTS, unit: '' },
    { what: 'control plane, CPU for an event', value: perEvent(after.server - before.server), unit: 'ms' },
    { what: 'PostgreSQL, CPU for an event', value: perEvent(after.postgres - before.postgres), unit: 'ms' },
  ]
}

execFileSync(process.execPath, [join(import.meta.dirname, '../../ui/build/build-page.ts'), '--if-stale'], {
  stdio: 'inherit',
})
const report = await benchOpenPages()
process.send?.(report, () => process.disconnect())
