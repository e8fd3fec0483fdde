import { cpuSeconds } from '../cpu.ts'
import type { Figure, Table } from '../report.ts'
import { median } from '../stats.ts'
import { openClients, openPages, PAGES, type Stand } from './open-pages-stand.ts'

const WARM_UPS = 3
const ROUNDS = 3
const ROUND_MS = 2000
const CONNECTIONS = 64
const DISTINCT_PER_MS = 6

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
export async function measureIngress(stand: Stand): Promise<{ readonly figures: Figure[]; readonly table: Table }> {
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
