import { setTimeout as sleep } from 'node:timers/promises'
import { makePipeline, makeTrigger } from '../e2e/house/team.ts'
import { peakMegabytes, residentMegabytes } from './cpu.ts'
import { makeUnlimitedTeam, openHouseUnderTest } from './house-under-test.ts'
import { startDeliverer } from './load/child.ts'
import type { Report } from './report.ts'

const DELIVERIES = 20_000
/**
 * The number of requests under way at a time. One source may have a thousand in hand, so that some are refused and sent
 * again.
 */
const CONNECTIONS = 2000
const LIMIT_MS = 110_000
const IDLE_MS = 65_000
const MOST_MB = 600

const PIPELINE = `
name: build
steps:
  - name: build
    tasks:
      - { name: compile, run: "true", checkout: false }
`

interface Stored {
  /** Deliveries by the provider's id. */
  readonly ids: number
  readonly accepted: number
  readonly runs: number
  /** Commits that have a run. */
  readonly commits: number
}

/** Twenty thousand deliveries at once, each of which starts a run: counted, not timed. */
export async function benchBurst(): Promise<Report> {
  await using subject = await openHouseUnderTest()
  const { house } = subject
  const team = await makeUnlimitedTeam(subject, 'burst')
  await makeTrigger(house.api, team, 'on-push', await makePipeline(house.api, team, PIPELINE))
  const load = await startDeliverer()
  try {
    const before = residentMegabytes(house.pid)
    const { answered, statuses } = await load.play({
      port: subject.port,
      path: `/v1/git/webhooks/${team.sourceId}`,
      secret: team.webhookSecret,
      connections: CONNECTIONS,
      durationMs: LIMIT_MS,
      distinct: DELIVERIES,
      insist: true,
    })
    const [stored] = await subject.query<Stored>(COUNT, [team.sourceId, team.path])
    if (!stored) throw new Error('Nothing was counted.')
    const peak = peakMegabytes(house.pid)
    await sleep(IDLE_MS)
    const exactly = (what: string, value: number, wanted: number) => ({ what, value, unit: '', exactly: wanted })
    return {
      name: 'burst',
      says: `${DELIVERIES} deliveries over ${CONNECTIONS} connections at once; what got 503 was sent again`,
      figures: [
        exactly('deliveries answered with 202 in the end', statuses['202'] ?? 0, DELIVERIES),
        exactly('other answers than 202 and 503', others(statuses), 0),
        { what: 'answers 503', value: statuses['503'] ?? 0, unit: '' },
        exactly('deliveries sent', answered, DELIVERIES),
        exactly('delivery ids stored', stored.ids, DELIVERIES),
        exactly('accepted records', stored.accepted, DELIVERIES),
        exactly('runs', stored.runs, DELIVERIES),
        exactly('commits with a run', stored.commits, DELIVERIES),
        { what: 'memory of the control plane before', value: before, unit: 'MB' },
        { what: 'memory at its peak', value: peak, unit: 'MB', atMost: MOST_MB },
        { what: `memory after ${IDLE_MS / 1000} s of idleness`, value: residentMegabytes(house.pid), unit: 'MB' },
      ],
    }
  } finally {
    await load.stop()
  }
}

function others(statuses: Readonly<Record<string, number>>): number {
  const rest = Object.entries(statuses).filter(([status]) => status !== '202' && status !== '503')
  return rest.reduce((sum, [, count]) => sum + count, 0)
}

const COUNT = `
  select
    (select count(distinct delivery_id)::int from deliveries where source_id = $1) as ids,
    (select count(*)::int from deliveries where source_id = $1 and result = 'accepted') as accepted,
    (select count(*)::int from runs where team_path = $2) as runs,
    (select count(distinct commit_sha)::int from runs where team_path = $2) as commits`
