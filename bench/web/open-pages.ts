import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { makePipeline, makeTrigger, type Team } from '../../e2e/house/team.ts'
import { startBrowser } from '../../e2e/web/browser.ts'
import { makePeople, type Person, signIn } from '../../e2e/web/people.ts'
import { cpuSeconds, residentMegabytes } from '../cpu.ts'
import { type HouseUnderTest, makeUnlimitedTeam, openHouseUnderTest } from '../house-under-test.ts'
import { type Deliverer, type Pages, startDeliverer, startPages } from '../load/child.ts'
import type { OpenPage } from '../load/open-pages.ts'
import { storeRuns } from '../load/store-runs.ts'
import { makeViewer } from '../load/viewer.ts'
import type { Figure, Report, Table } from '../report.ts'
import { median, percentile } from '../stats.ts'
import { PIPELINE } from './pipeline.ts'

// The process of `npm run bench -- open-pages`: 200 pages that stay open, three of them real tabs.

const PAGES = Number(process.env['SIGNALBOX_BENCH_PAGES'] ?? 200)
const TABS = 3
const TEAM = 'acme'
const VIEWERS = 10
const RUNS = 100_000
/** After work, the control plane collects its garbage and gives memory back. */
const QUIET_MS = 15_000
const IDLE_MS = 10_000
const EVENTS = 25
/** Longer than the window of 200 streams: the delay is that of a change by itself. */
const PAUSE_MS = 1200
/** A list of runs gathers changes for so long. */
const GATHER_MS = 200
/** What was told last has arrived by then. */
const LAST_MS = 1000
const SETTLED_MS = 500
const FOLLOWED_RUNS = 25
const WARM_UPS = 3
const ROUNDS = 3
const ROUND_MS = 2000
const CONNECTIONS = 64
const DISTINCT_PER_MS = 6

interface Stand {
  readonly subject: HouseUnderTest
  readonly teams: { readonly quiet: Team; readonly busy: Team }
  readonly pages: Pages
  readonly load: Deliverer
  readonly plans: readonly OpenPage[]
  /** Runs that are followed. */
  readonly runIds: readonly string[]
  readonly browser: Browser
  readonly person: Person
}

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

async function openStand(opened: AsyncDisposableStack): Promise<Stand> {
  const subject = opened.use(await openHouseUnderTest())
  const { api } = subject.house
  await api.send('POST', '/v1/teams', { path: TEAM })
  const quiet = await makeUnlimitedTeam(subject, `${TEAM}/quiet`)
  const busy = await makeUnlimitedTeam(subject, `${TEAM}/busy`)
  const pipeline = await makePipeline(api, busy, PIPELINE)
  await makeTrigger(api, busy, 'on-push', pipeline)
  await storeRuns(subject, { runs: RUNS, teams: [busy.path], rare: { team: busy.path, runs: 1 } })
  const runIds: string[] = []
  for (let count = 0; count < FOLLOWED_RUNS; count++) {
    const run = await api.send<{ run_id: string }>('POST', `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`, {})
    runIds.push(run.run_id)
  }
  const tokens: string[] = []
  for (let count = 0; count < VIEWERS; count++) tokens.push(await makeViewer(subject, TEAM, `viewer-${count}`))
  const plans = Array.from({ length: PAGES - TABS }, (_, at): OpenPage => {
    const token = tokens[at % VIEWERS] ?? ''
    return { token, ...planOf(at, runIds[at % FOLLOWED_RUNS] ?? '', quiet.sourceId) }
  })
  const pages = opened.adopt(await startPages(), (begun) => begun.stop())
  const load = opened.adopt(await startDeliverer(), (begun) => begun.stop())
  const browser = opened.adopt(await startBrowser(), (begun) => begun.close())
  const people = await makePeople(api, TEAM)
  return { subject, teams: { quiet, busy }, pages, load, plans, runIds, browser, person: people.viewer }
}

/** As the page follows and reads: of ten pages four are homes, four are lists of runs, one a run, one a source. */
function planOf(at: number, runId: string, sourceId: string): Omit<OpenPage, 'token'> {
  switch (at % 10) {
    case 8:
      return { topics: [`run:${runId}`], reads: [`/v1/runs/${runId}`] }
    case 9:
      return { topics: [`deliveries:${sourceId}`], reads: [`/v1/git-webhook-sources/${sourceId}/deliveries`] }
    default:
      return at % 2 === 0
        ? {
            topics: [`runs:${TEAM}`, `schedules:${TEAM}`, 'approvals', 'runners'],
            reads: [`/v1/teams/${TEAM}/counts`],
          }
        : { topics: [`runs:${TEAM}`], reads: [`/v1/runs?teamId=${TEAM}`], gatherMs: GATHER_MS }
  }
}

interface OpenedPages {
  /** A change reaches the tabs. */
  requireLive(): Promise<void>
  close(): Promise<void>
}

async function openPages(stand: Stand): Promise<OpenedPages> {
  const { subject, pages, browser, person, runIds } = stand
  const { url, api } = subject.house
  const clients = await openClients(stand, true)
  const context = await browser.newContext()
  await signIn(context, url, person)
  await context.addInitScript(() => localStorage.setItem('signalbox-signed-in', 'yes'))
  const tabs = await Promise.all(
    [`/t/${TEAM}/home`, `/t/${TEAM}/runs`, `/runs/${runIds[0]}`].map(async (path) => {
      const tab = await context.newPage()
      await tab.goto(`${url}/#${path}`)
      await tab.locator('h1').first().waitFor()
      return tab
    }),
  )
  await settle(pages)
  return {
    async requireLive() {
      await api.send('POST', `/v1/runs/${runIds[0]}/cancel`, {})
      await tabs[2]?.getByText('canceled').first().waitFor()
    },
    async close() {
      await context.close()
      await clients.close()
    },
  }
}

/** Those outside a browser; where they do not read, what is left is the cost of their streams. */
async function openClients({ subject, pages, plans }: Stand, isReading: boolean): Promise<Pick<OpenedPages, 'close'>> {
  await pages.open(
    subject.house.url,
    plans.map((plan) => (isReading ? plan : { ...plan, reads: [] })),
  )
  return {
    async close() {
      await pages.close()
      await pages.report()
    },
  }
}

/** What a page reads first is no part of any figure. */
async function settle(pages: Pages): Promise<void> {
  do await sleep(SETTLED_MS)
  while ((await pages.report()).reads > 0)
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

type Kind = 'quiet' | 'busy'
const KINDS: Readonly<Record<Kind, string>> = { quiet: 'match nothing', busy: 'start a run each' }

/** Who else is there while deliveries come. */
const SIDES = {
  without: { says: 'without pages', open: async () => ({ close: async () => undefined }) },
  streams: { says: 'with their streams alone', open: (stand: Stand) => openClients(stand, false) },
  reading: { says: 'and what they read', open: (stand: Stand) => openClients(stand, true) },
  with: { says: 'and tabs: all pages', open: openPages },
} as const
type Side = keyof typeof SIDES
const ALL_SIDES = ['without', 'streams', 'reading', 'with'] as const satisfies readonly Side[]

interface Sample {
  readonly perSecond: number
  /** Of the pages outside a browser, while the deliveries came. */
  readonly pagesPercent: number
  readonly reads: number
  readonly serverMicros: number
  readonly postgresMicros: number
  readonly p99Ms: number
}

/** Deliveries with and without open pages, in turn. */
async function measureIngress(stand: Stand): Promise<{ readonly figures: Figure[]; readonly table: Table }> {
  const samples = new Map<string, Sample[]>()
  for (const kind of ['quiet', 'busy'] as const) {
    for (let round = 0; round < WARM_UPS; round++) await deliver(stand, kind)
    for (let round = 0; round < ROUNDS; round++) {
      for (const side of ALL_SIDES) {
        const open = await SIDES[side].open(stand)
        const sample = await deliver(stand, kind)
        samples.set(`${kind} ${side}`, [...(samples.get(`${kind} ${side}`) ?? []), sample])
        await open.close()
      }
    }
  }
  const of = (kind: Kind, side: Side, pick: keyof Sample): number =>
    median((samples.get(`${kind} ${side}`) ?? []).map((sample) => sample[pick]))
  const picks = ['perSecond', 'serverMicros', 'postgresMicros', 'p99Ms', 'reads', 'pagesPercent'] as const
  const rows = (['quiet', 'busy'] as const).flatMap((kind) =>
    ALL_SIDES.map((side) => [
      `${KINDS[kind]}, ${SIDES[side].says}`,
      ...picks.map((pick) => of(kind, side, pick).toFixed(0)),
    ]),
  )
  const figures = (['quiet', 'busy'] as const).flatMap((kind): Figure[] => {
    const ratio = (side: Side, pick: keyof Sample): number => of(kind, side, pick) / of(kind, 'without', pick)
    return [
      {
        what: `deliveries that ${KINDS[kind]}, with ${PAGES} pages`,
        value: ratio('with', 'perSecond'),
        unit: 'of the rate without',
      },
      {
        what: 'CPU of a delivery, the control plane alone',
        value: ratio('with', 'serverMicros'),
        unit: 'of that without',
      },
    ]
  })
  const columns = ['deliveries', '/s', 'CPU µs each', 'PostgreSQL µs', 'p99 ms', 'readings /s', 'CPU of clients, %']
  return { figures, table: { title: `Ingress over ${CONNECTIONS} connections`, columns, rows } }
}

async function deliver({ subject, teams, load, pages }: Stand, kind: Kind): Promise<Sample> {
  const team = teams[kind]
  await pages.report()
  const before = { ...subject.cpu(), pages: cpuSeconds(pages.pid) }
  const result = await load.play({
    port: subject.port,
    path: `/v1/git/webhooks/${team.sourceId}`,
    secret: team.webhookSecret,
    connections: CONNECTIONS,
    durationMs: ROUND_MS,
    ...(kind === 'busy' ? { distinct: ROUND_MS * DISTINCT_PER_MS } : {}),
  })
  const after = subject.cpu()
  const seconds = result.answered / result.perSecond
  const micros = (part: 'server' | 'postgres'): number => ((after[part] - before[part]) / result.answered) * 1e6
  const pagesPercent = ((cpuSeconds(pages.pid) - before.pages) / seconds) * 100
  const reads = (await pages.report()).reads / seconds
  const { perSecond, p99Ms } = result
  return { perSecond, p99Ms, serverMicros: micros('server'), postgresMicros: micros('postgres'), pagesPercent, reads }
}

execFileSync(process.execPath, [join(import.meta.dirname, '../../ui/build/build-page.ts'), '--if-stale'], {
  stdio: 'inherit',
})
const report = await benchOpenPages()
process.send?.(report, () => process.disconnect())
