import { makePipeline, makeTrigger, type Team } from '../e2e/house/team.ts'
import { cpuSeconds } from './cpu.ts'
import { type HouseUnderTest, makeUnlimitedTeam, openHouseUnderTest } from './house-under-test.ts'
import { type Deliverer, type PlainFastify, startDeliverer, startPlainFastify } from './load/child.ts'
import type { RoundResult } from './load/round.ts'
import type { Figure, Report } from './report.ts'
import { median } from './stats.ts'

const CONNECTIONS = 64
const ROUND_MS = 4000
const WARM_UP_MS = 3000
// Interleaved: whatever else the machine does meets all three alike.
const ROUNDS = 5
const TARGET_RATIO = 0.4

const PIPELINE = `
name: build
steps:
  - name: build
    tasks:
      - { name: compile, run: "true", checkout: false }
`

interface Sample extends RoundResult {
  readonly serverCpu: number
  readonly postgresCpu: number
  readonly loadCpu: number
}

/** Verified, durable deliveries per second against Fastify that verifies and parses and stores nothing. */
export async function benchIngress(): Promise<Report> {
  await using subject = await openHouseUnderTest()
  const quiet = await makeUnlimitedTeam(subject, 'quiet')
  const busy = await makeUnlimitedTeam(subject, 'busy')
  await makeTrigger(subject.house.api, busy, 'on-push', await makePipeline(subject.house.api, busy, PIPELINE))
  const plain = await startPlainFastify(quiet.webhookSecret)
  const load = await startDeliverer()
  try {
    const measure = measurer(subject, plain, load, quiet, busy)
    for (const kind of KINDS) await measure(kind, WARM_UP_MS)
    const samples: Record<Kind, Sample[]> = { plain: [], quiet: [], busy: [] }
    for (let round = 0; round < ROUNDS; round++) {
      for (const kind of KINDS) samples[kind].push(await measure(kind, ROUND_MS))
    }
    return {
      name: 'ingress',
      says: `verified, durable deliveries of 8 KB over ${CONNECTIONS} connections; medians of ${ROUNDS} interleaved rounds`,
      figures: [
        ...figuresOf('Fastify, verify and parse', samples.plain),
        ...figuresOf('Signalbox, no trigger matches', samples.quiet, samples.plain),
        ...figuresOf('Signalbox, each starts a run', samples.busy, samples.plain),
      ],
    }
  } finally {
    await load.stop()
    await plain.stop()
  }
}

const KINDS = ['plain', 'quiet', 'busy'] as const
type Kind = (typeof KINDS)[number]

function measurer(subject: HouseUnderTest, plain: PlainFastify, load: Deliverer, quiet: Team, busy: Team) {
  const targets = {
    plain: { port: plain.port, path: '/', secret: quiet.webhookSecret, expected: '200' },
    quiet: { ...ingressOf(subject, quiet), expected: '200' },
    busy: { ...ingressOf(subject, busy), expected: '202' },
  }
  return async (kind: Kind, durationMs: number): Promise<Sample> => {
    const { expected, ...target } = targets[kind]
    const serverCpu = () => (kind === 'plain' ? cpuSeconds(plain.pid) : subject.cpu().server)
    const before = { server: serverCpu(), postgres: subject.cpu().postgres, load: cpuSeconds(load.pid) }
    const result = await load.play({ ...target, connections: CONNECTIONS, durationMs })
    if (result.statuses[expected] !== result.answered) {
      throw new Error(`Answers other than ${expected}: ${JSON.stringify(result.statuses)}`)
    }
    if (kind !== 'plain') await verifyDurable(subject, kind === 'quiet' ? quiet : busy, kind, result.answered)
    return {
      ...result,
      serverCpu: (serverCpu() - before.server) / (durationMs / 1000),
      postgresCpu: (subject.cpu().postgres - before.postgres) / (durationMs / 1000),
      loadCpu: (cpuSeconds(load.pid) - before.load) / (durationMs / 1000),
    }
  }
}

function ingressOf({ port }: HouseUnderTest, team: Team) {
  return { port, path: `/v1/git/webhooks/${team.sourceId}`, secret: team.webhookSecret }
}

const seen = { quiet: 0, busy: 0 }

/** Each answered delivery has its record (and its run): a rate without this would be worth nothing. */
async function verifyDurable(subject: HouseUnderTest, team: Team, kind: 'quiet' | 'busy', answered: number) {
  const [stored] = await subject.query<{ deliveries: number; runs: number }>(
    `select count(*)::int as deliveries, coalesce(sum(cardinality(run_ids)), 0)::int as runs
     from deliveries where source_id = $1`,
    [team.sourceId],
  )
  seen[kind] += answered
  const runs = kind === 'busy' ? seen.busy : 0
  if (stored?.deliveries !== seen[kind] || stored.runs !== runs) {
    throw new Error(`${seen[kind]} deliveries were answered, but stored are ${JSON.stringify(stored)}`)
  }
}

function figuresOf(what: string, samples: readonly Sample[], baseline?: readonly Sample[]): Figure[] {
  const of = (pick: (sample: Sample) => number) => median(samples.map(pick))
  const rate = of((sample) => sample.perSecond)
  const cpu = (name: string, pick: (sample: Sample) => number): Figure => ({
    what: `${what}: ${name}`,
    value: of(pick),
    unit: 'cores',
  })
  return [
    { what: `${what}: rate`, value: rate, unit: '/s' },
    ...(baseline ? [ratioTo(what, samples, baseline)] : []),
    { what: `${what}: latency p50`, value: of((sample) => sample.p50Ms), unit: 'ms' },
    { what: `${what}: latency p99`, value: of((sample) => sample.p99Ms), unit: 'ms' },
    cpu('CPU of the server', (sample) => sample.serverCpu),
    ...(baseline ? [cpu('CPU of PostgreSQL', (sample) => sample.postgresCpu)] : []),
    cpu('CPU of the load', (sample) => sample.loadCpu),
  ]
}

/** Of the same round each: the machine's noise of that moment is in both. */
function ratioTo(what: string, samples: readonly Sample[], baseline: readonly Sample[]): Figure {
  const ratios = samples.map((sample, round) => sample.perSecond / (baseline[round]?.perSecond ?? Number.NaN))
  return { what: `${what}: ratio`, value: median(ratios), unit: 'of Fastify', atLeast: TARGET_RATIO }
}
