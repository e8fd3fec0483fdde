import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { shareObjects } from '../e2e/house/data-folder.ts'
import { type House, makeDataDir, startHouse } from '../e2e/house/house.ts'
import { makePipeline, makeTeam, type Team } from '../e2e/house/team.ts'
import { waitFor } from '../e2e/house/wait.ts'
import { type HouseUnderTest, openHouseUnderTest, socketOf } from './house-under-test.ts'
import { fireByQueue } from './load/rival-queue.ts'
import type { Figure, Report } from './report.ts'

const SCHEDULES = 10_000
const TARGET_S = 5
const IDLE_S = 20
/** Until they are due, so that all are stored before. */
const LEAD_MS = 8000

const PIPELINE = `
name: small
steps:
  - name: only
    tasks:
      - { name: only, run: "true", checkout: false }
`

/** Ten thousand schedules that are due at one instant; what they cost while none is due; and a queue that does as much. */
export async function benchSchedules(): Promise<Report> {
  await using subject = await openHouseUnderTest()
  const team = await makeTeam(subject.house.api, 'schedules')
  const pipeline = await makePipeline(subject.house.api, team, PIPELINE)
  const work: Work = { subject, team, pipeline }
  const without = await idle(subject)
  await storeSchedules(work, { name: 'rests', at: new Date(Date.now() + 86_400_000) })
  const resting = await idle(subject)
  const alone = await fireAll(work, 'alone')
  const other = await startBeside(subject)
  const together = await fireAll(work, 'together')
  await other.stop()
  const rival = await fireByQueue(subject, SCHEDULES)
  return {
    name: 'schedules',
    says: `${SCHEDULES} schedules due at the same instant, until the last run is stored`,
    figures: [
      ...figuresOf('one process', alone),
      ...figuresOf('two processes', together),
      { what: 'graphile-worker, as many jobs due at once, one row each', value: rival, unit: 's' },
      { what: 'one process against graphile-worker', value: alone.seconds / rival, unit: 'of its time' },
      { what: 'idle without schedules: transactions', value: without.transactions, unit: 'a second' },
      { what: `idle with ${SCHEDULES}: transactions`, value: resting.transactions, unit: 'a second' },
      { what: 'idle without schedules: CPU of both', value: without.cpu * 100, unit: '% of a core' },
      { what: `idle with ${SCHEDULES}: CPU of both`, value: resting.cpu * 100, unit: '% of a core' },
    ],
  }
}

interface Work {
  readonly subject: HouseUnderTest
  readonly team: Team
  readonly pipeline: string
}

interface Fired {
  /** From the instant to the last commit. */
  readonly seconds: number
  readonly fires: number
  readonly instants: number
  readonly runs: number
  readonly cpu: number
}

async function fireAll(work: Work, name: string): Promise<Fired> {
  const { subject } = work
  const at = new Date(Math.ceil((Date.now() + LEAD_MS) / 1000) * 1000)
  await storeSchedules(work, { name, at })
  await sleep(at.getTime() - 500 - Date.now())
  const before = subject.cpu()
  await waitFor(
    'the last run',
    () =>
      subject.query<{ count: number }>('select count(*)::int as count from schedule_fires where planned_at = $1', [at]),
    ([row]) => row?.count === SCHEDULES,
    120_000,
  )
  const seconds = (Date.now() - at.getTime()) / 1000
  const after = subject.cpu()
  // Nothing more may come.
  await sleep(3000)
  const [counted] = await subject.query<Pick<Fired, 'fires' | 'instants' | 'runs'>>(COUNT, [at])
  if (!counted) throw new Error('Nothing was counted.')
  return { seconds, ...counted, cpu: after.server + after.postgres - before.server - before.postgres }
}

function figuresOf(who: string, { seconds, fires, instants, runs, cpu }: Fired): Figure[] {
  return [
    { what: `${who}: until all are stored`, value: seconds, unit: 's', atMost: TARGET_S },
    { what: `${who}: fires`, value: fires, unit: '', exactly: SCHEDULES },
    { what: `${who}: schedules that fired`, value: instants, unit: '', exactly: SCHEDULES },
    { what: `${who}: runs`, value: runs, unit: '', exactly: SCHEDULES },
    { what: `${who}: CPU of the first one and of PostgreSQL`, value: cpu, unit: 's' },
  ]
}

/** One is made over HTTP, the others are copies of it. */
async function storeSchedules(
  { subject, team, pipeline }: Work,
  { name, at }: { name: string; at: Date },
): Promise<void> {
  const cron = `${at.getUTCSeconds()} ${at.getUTCMinutes()} ${at.getUTCHours()} * * *`
  const { id } = await subject.house.api.send<{ id: string }>('POST', '/v1/schedules', {
    path: team.path,
    name,
    pipeline,
    scope: team.scope,
    schedule_kind: 'recurring',
    cron_expression: cron,
  })
  await subject.query(COPY, [id, SCHEDULES - 1])
  await subject.query('analyze schedules')
}

/** Another process on the database and the objects of the first one. */
async function startBeside({ house }: HouseUnderTest): Promise<House> {
  const dataDir = makeDataDir()
  shareObjects(dataDir, house.dataDir)
  return startHouse({
    dataDir,
    env: {
      DATABASE_URL: `postgresql://signalbox@localhost/signalbox?host=${encodeURIComponent(socketOf(house.dataDir))}`,
      SECRET_KEY: readFileSync(join(house.dataDir, 'secret-key'), 'utf8').trim(),
    },
  })
}

interface Idle {
  readonly transactions: number
  /** Cores. */
  readonly cpu: number
}

async function idle(subject: HouseUnderTest): Promise<Idle> {
  const look = async () => {
    const [row] = await subject.query<{ count: number }>(TRANSACTIONS)
    const { server, postgres } = subject.cpu()
    return { at: performance.now(), count: row?.count ?? 0, cpu: server + postgres }
  }
  const before = await look()
  await sleep(IDLE_S * 1000)
  const after = await look()
  const seconds = (after.at - before.at) / 1000
  return { transactions: (after.count - before.count) / seconds, cpu: (after.cpu - before.cpu) / seconds }
}

const COPY = `
  insert into schedules
  select (json_populate_record(schedules, json_build_object('id', gen_random_uuid(), 'name', name || '-' || at))).*
  from schedules, generate_series(1, $2::int) as at where id = $1`

const COUNT = `
  select count(*)::int as fires, count(distinct schedule_id)::int as instants,
    (select count(*)::int from runs where scheduled_at = $1) as runs
  from schedule_fires where planned_at = $1 and outcome = 'started'`

const TRANSACTIONS = `
  select xact_commit::int as count from pg_stat_database where datname = current_database()`
