import { makePipeline, makeTrigger, type Team } from '../e2e/house/team.ts'
import { cpuSeconds } from './cpu.ts'
import { type HouseUnderTest, makeUnlimitedTeam, openHouseUnderTest } from './house-under-test.ts'
import { type Deliverer, type Rival, startDeliverer, startNodeRival } from './load/child.ts'
import type { RoundResult } from './load/round.ts'
import { startWebhookProgram } from './load/webhook-program.ts'
import type { Figure, Report, Table } from './report.ts'
import { median } from './stats.ts'

const CONNECTIONS: readonly number[] = [1, 16, 64, 256]
const ROUND_MS = 600
/**
 * Rounds to warm up every taker, in turn. V8 still compiles after fewer: that cost a delivery up to 0.16 ms of other
 * threads, and then 0.03.
 */
const WARM_UPS = 4
const WARM_UP_DELIVERIES = 5000
const WARM_UP_MS = 20_000
/** Pushes made before a round for each ms of it, each of its own commit: more than are sent. */
const DISTINCT_PER_MS = 6
// Short ones in turn: whatever else the machine does meets all of them alike.
const ROUNDS = 7

const PIPELINE = `
name: build
steps:
  - name: build
    tasks:
      - { name: compile, run: "true", checkout: false }
`

/** The takers of deliveries: ours twice, and takers that verify and store nothing. */
const OURS = {
  quiet: { title: 'deliveries that match nothing', expected: '200' },
  busy: { title: 'deliveries that start a run each', expected: '202' },
} as const
type Ours = keyof typeof OURS

const RIVALS = {
  octokit: { title: '@octokit/webhooks', atLeast: 0.6, connections: CONNECTIONS },
  webhook: { title: 'webhook (adnanh)', atLeast: 1, connections: CONNECTIONS },
  fastify: { title: 'Fastify', atLeast: 0.4, connections: [64] },
} satisfies Record<string, { title: string; atLeast: number; connections: readonly number[] }>
type RivalName = keyof typeof RIVALS

type Taker = Ours | RivalName
type Measure = (taker: Taker, connections: number, durationMs: number, count?: number) => Promise<Sample>

/** CPU time of a delivery, of all threads: on a busy machine it says more than the rate. */
interface Sample extends RoundResult {
  readonly serverMicros: number
  readonly postgresMicros: number
}

/** Verified, durable deliveries per second beside three servers that verify and parse, and store nothing. */
export async function benchIngress(): Promise<Report> {
  await using subject = await openHouseUnderTest()
  const teams = {
    quiet: await makeUnlimitedTeam(subject, 'quiet'),
    busy: await makeUnlimitedTeam(subject, 'busy'),
  }
  const rivals = await startRivals(teams.quiet.webhookSecret)
  const load = await startDeliverer()
  try {
    const measure = measurer(subject, rivals, load, teams)
    const present = [...rivals.keys()]
    const figures: Figure[] = []
    const tables: Table[] = []
    for (const ours of ['quiet', 'busy'] as const) {
      // Not before: it is a trigger of the repository that both tell of, and would be part of each delivery's trace.
      if (ours === 'busy') await connectPipeline(subject, teams.busy)
      const samples = await playAll(measure, [ours, ...present])
      figures.push(...figuresOf(ours, present, samples))
      tables.push(tableOf(ours, present, samples))
    }
    return { name: 'ingress', says: saysOf(present), figures, tables }
  } finally {
    await load.stop()
    for (const rival of rivals.values()) await rival.stop()
  }
}

async function connectPipeline({ house }: HouseUnderTest, team: Team): Promise<void> {
  await makeTrigger(house.api, team, 'on-push', await makePipeline(house.api, team, PIPELINE))
}

async function playAll(measure: Measure, takers: readonly Taker[]): Promise<Samples> {
  for (let time = 0; time < WARM_UPS; time++) {
    for (const taker of takers) await measure(taker, 64, WARM_UP_MS, WARM_UP_DELIVERIES)
  }
  const samples = new Map<string, Sample[]>()
  // The number of connections falls to one: V8 compiles anew for another number, and a single connection triggers that
  // slowly.
  for (const connections of CONNECTIONS.toReversed()) {
    for (let round = 0; round < ROUNDS; round++) {
      for (const taker of takers.filter((one) => takesPart(one, connections))) {
        const key = `${taker} ${connections}`
        samples.set(key, [...(samples.get(key) ?? []), await measure(taker, connections, ROUND_MS)])
      }
    }
  }
  return samples
}

async function startRivals(secret: string): Promise<Map<RivalName, Rival>> {
  const rivals = new Map<RivalName, Rival>([
    ['octokit', await startNodeRival('octokit-process.ts', secret)],
    ['fastify', await startNodeRival('plain-fastify-process.ts', secret)],
  ])
  const webhook = await startWebhookProgram(secret)
  if (webhook) rivals.set('webhook', webhook)
  return rivals
}

function saysOf(present: readonly RivalName[]): string {
  const says = `verified, durable deliveries of 8 KB; medians of ${ROUNDS} interleaved rounds`
  if (present.includes('webhook')) return says
  return `${says}; webhook (adnanh) is not installed (apt-get install webhook), so nothing is compared with it`
}

function measurer(
  subject: HouseUnderTest,
  rivals: ReadonlyMap<RivalName, Rival>,
  load: Deliverer,
  teams: Readonly<Record<Ours, Team>>,
): Measure {
  const { webhookSecret } = teams.quiet
  return async (taker, connections, durationMs, count) => {
    const rival = isOurs(taker) ? undefined : rivals.get(taker)
    const team = isOurs(taker) ? teams[taker] : undefined
    const target = rival
      ? { port: rival.port, path: rival.path, secret: webhookSecret }
      : { port: subject.port, path: `/v1/git/webhooks/${team?.sourceId}`, secret: team?.webhookSecret ?? '' }
    const serverCpu = () => (rival ? cpuSeconds(rival.pid) : subject.cpu().server)
    const before = { server: serverCpu(), postgres: subject.cpu().postgres }
    const distinct = taker === 'busy' ? { distinct: count ?? durationMs * DISTINCT_PER_MS } : {}
    const bound = count === undefined ? {} : { count }
    const result = await load.play({ ...target, connections, durationMs, ...bound, ...distinct })
    const after = { server: serverCpu(), postgres: subject.cpu().postgres }
    const expected = isOurs(taker) ? OURS[taker].expected : '200'
    if (result.statuses[expected] !== result.answered) {
      throw new Error(`${taker} answered other than ${expected}: ${JSON.stringify(result.statuses)}`)
    }
    if (isOurs(taker)) await verifyDurable(subject, teams[taker], taker, result.answered)
    return {
      ...result,
      serverMicros: ((after.server - before.server) / result.answered) * 1e6,
      postgresMicros: ((after.postgres - before.postgres) / result.answered) * 1e6,
    }
  }
}

function takesPart(taker: Taker, connections: number): boolean {
  return isOurs(taker) || RIVALS[taker].connections.includes(connections)
}

function isOurs(taker: Taker): taker is Ours {
  return Object.hasOwn(OURS, taker)
}

const seen: Record<Ours, number> = { quiet: 0, busy: 0 }

/** Each answered delivery has its record (and its run): a rate without this would be worth nothing. */
async function verifyDurable(subject: HouseUnderTest, team: Team, ours: Ours, answered: number): Promise<void> {
  const [stored] = await subject.query<{ deliveries: number; runs: number }>(
    `select count(*)::int as deliveries, coalesce(sum(cardinality(run_ids)), 0)::int as runs
     from deliveries where source_id = $1`,
    [team.sourceId],
  )
  seen[ours] += answered
  const runs = ours === 'busy' ? seen.busy : 0
  if (stored?.deliveries !== seen[ours] || stored.runs !== runs) {
    throw new Error(`${seen[ours]} deliveries were answered, but stored are ${JSON.stringify(stored)}`)
  }
}

type Samples = ReadonlyMap<string, readonly Sample[]>

function samplesOf(samples: Samples, taker: Taker, connections: number): readonly Sample[] {
  return samples.get(`${taker} ${connections}`) ?? []
}

/** Of the same round each: the machine's noise of that moment is in both. */
function ratioOf(samples: Samples, ours: Ours, rival: RivalName, connections: number): number {
  const theirs = samplesOf(samples, rival, connections)
  const pairs = samplesOf(samples, ours, connections).map(
    (sample, round) => sample.perSecond / (theirs[round]?.perSecond ?? Number.NaN),
  )
  return median(pairs)
}

/** The best result of a taker, at the number of connections that suits it best. */
function bestOf(samples: Samples, taker: Taker): number {
  const rates = CONNECTIONS.filter((connections) => takesPart(taker, connections)).map((connections) =>
    median(samplesOf(samples, taker, connections).map((sample) => sample.perSecond)),
  )
  return Math.max(...rates)
}

/** The targets, where commits are shared: at one connection each delivery waits for a commit of its own. */
function figuresOf(ours: Ours, present: readonly RivalName[], samples: Samples): Figure[] {
  const best = present.map((rival) => ({
    what: `${OURS[ours].title}, each at its best, against ${RIVALS[rival].title}`,
    value: bestOf(samples, ours) / bestOf(samples, rival),
    unit: 'of its rate',
    atLeast: RIVALS[rival].atLeast,
  }))
  const each = CONNECTIONS.flatMap((connections) =>
    present
      .filter((rival) => takesPart(rival, connections))
      .map((rival) => ({
        what: `${OURS[ours].title}, ${connections} connections, against ${RIVALS[rival].title}`,
        value: ratioOf(samples, ours, rival, connections),
        unit: 'of its rate',
        ...(connections === 1 ? {} : { atLeast: RIVALS[rival].atLeast }),
      })),
  )
  return [...best, ...each]
}

function tableOf(ours: Ours, present: readonly RivalName[], samples: Samples): Table {
  const takers: Taker[] = [ours, ...present]
  const of = (taker: Taker, connections: number, pick: (sample: Sample) => number) =>
    median(samplesOf(samples, taker, connections).map(pick))
  return {
    title: OURS[ours].title,
    columns: [
      'connections',
      ...takers.map((taker) => `${nameOf(taker)}, /s (p50, p99 ms; CPU µs each)`),
      'PostgreSQL µs',
    ],
    rows: CONNECTIONS.map((connections) => [
      String(connections),
      ...takers.map((taker) => {
        if (!takesPart(taker, connections)) return ''
        const rate = of(taker, connections, (sample) => sample.perSecond).toFixed(0)
        const p50 = of(taker, connections, (sample) => sample.p50Ms).toFixed(1)
        const p99 = of(taker, connections, (sample) => sample.p99Ms).toFixed(1)
        return `${rate} (${p50}, ${p99}; ${of(taker, connections, (sample) => sample.serverMicros).toFixed(0)})`
      }),
      of(ours, connections, (sample) => sample.postgresMicros).toFixed(0),
    ]),
  }
}

function nameOf(taker: Taker): string {
  return isOurs(taker) ? 'Signalbox' : RIVALS[taker].title
}
