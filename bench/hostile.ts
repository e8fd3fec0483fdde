import type { Team } from '../e2e/house/team.ts'
import { peakMegabytes } from './cpu.ts'
import { type HouseUnderTest, makeUnlimitedTeam, openHouseUnderTest } from './house-under-test.ts'
import { type Deliverer, startDeliverer, startSlowSenders } from './load/child.ts'
import type { RoundResult } from './load/round.ts'
import type { Figure, Report } from './report.ts'

const WARM_UP_MS = 4000
const ROUND_MS = 4000
/** So few that the machine is not full: what others do to them is to be seen. */
const GOOD_CONNECTIONS = 4
const FORGING_CONNECTIONS = 16
const SLOW_CONNECTIONS = 2000
const CUT_WITHIN_S = 30

/** The effect of forgeries and slow senders at one source on good deliveries of another. */
export async function benchHostile(): Promise<Report> {
  await using subject = await openHouseUnderTest()
  const good = await makeUnlimitedTeam(subject, 'good')
  const attacked = await makeUnlimitedTeam(subject, 'attacked')
  const load = await startDeliverer()
  const forger = await startDeliverer()
  try {
    const alone = (durationMs: number) =>
      load.play({ ...targetOf(subject, good), connections: GOOD_CONNECTIONS, durationMs })
    await alone(WARM_UP_MS)
    const before = await alone(ROUND_MS)
    const { figures, beside } = await underForgeries(subject, attacked, forger, () => alone(ROUND_MS))
    const slow = await startSlowSenders(targetOf(subject, attacked), SLOW_CONNECTIONS)
    const besideSlow = await alone(ROUND_MS)
    const longestS = (await slow.longestLifeMs()) / 1000
    await slow.stop()
    return {
      name: 'hostile',
      says: `good deliveries over ${GOOD_CONNECTIONS} connections, beside forgeries and slow senders`,
      figures: [
        { what: 'good deliveries, alone: p99', value: before.p99Ms, unit: 'ms' },
        { what: 'the same beside forgeries: p99', value: beside.p99Ms, unit: 'ms' },
        ...figures,
        { what: `the same beside ${SLOW_CONNECTIONS} slow senders: p99`, value: besideSlow.p99Ms, unit: 'ms' },
        { what: 'the longest life of a slow sender', value: longestS, unit: 's', atMost: CUT_WITHIN_S },
        { what: 'memory at its peak', value: peakMegabytes(subject.house.pid), unit: 'MB' },
      ],
    }
  } finally {
    await forger.stop()
    await load.stop()
  }
}

async function underForgeries(
  subject: HouseUnderTest,
  attacked: Team,
  forger: Deliverer,
  deliver: () => Promise<RoundResult>,
): Promise<{ readonly figures: readonly Figure[]; readonly beside: RoundResult }> {
  const forgery = { ...targetOf(subject, attacked), secret: 'another', connections: FORGING_CONNECTIONS }
  await forger.play({ ...forgery, durationMs: WARM_UP_MS })
  const cpu = subject.cpu().server
  const alone = await forger.play({ ...forgery, durationMs: ROUND_MS })
  const cpuEach = (subject.cpu().server - cpu) / alone.answered
  const [flood, beside] = await Promise.all([forger.play({ ...forgery, durationMs: ROUND_MS }), deliver()])
  const { 401: mismatches = 0, 429: limited = 0 } = flood.statuses
  const [stored] = await subject.query<{ records: number }>(
    'select count(*)::int as records from deliveries where source_id = $1',
    [attacked.sourceId],
  )
  return {
    beside,
    figures: [
      { what: 'forgeries meanwhile', value: flood.perSecond, unit: '/s' },
      {
        what: 'of them answered with other than 401 and 429',
        value: flood.answered - mismatches - limited,
        unit: '',
        exactly: 0,
      },
      {
        what: 'CPU of the server for 10,000 forgeries of 8 KB a second',
        value: cpuEach * 10_000,
        unit: 'cores',
        atMost: 0.5,
      },
      { what: 'records of all forgeries', value: stored?.records ?? 0, unit: '', atMost: 130 },
    ],
  }
}

function targetOf({ port }: HouseUnderTest, team: Team) {
  return { port, path: `/v1/git/webhooks/${team.sourceId}`, secret: team.webhookSecret }
}
