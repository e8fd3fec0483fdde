import { setTimeout as sleep } from 'node:timers/promises'
import { type RunnerProcess, startRunner } from '../e2e/house/runner.ts'
import { makePipeline, makeTeam, type Team } from '../e2e/house/team.ts'
import { familyCpuSeconds } from './cpu.ts'
import { type HouseUnderTest, openHouseUnderTest } from './house-under-test.ts'
import { spawnRate } from './load/child.ts'
import type { Figure, Report } from './report.ts'
import { median } from './stats.ts'

const CAPACITY = 12
const TASKS = 1000
const ROUNDS = 3
const SPAWN_MS = 2000
const SETTLE_MS = 500
const POLL_MS = 100
const END_TIMEOUT_MS = 60_000
const TARGET_RATIO = 0.7
/** Tasks of the layered graph: each layer waits for the one before. */
const LAYERS = 20
const LAYER = 100
const RUNNERS = 4

/** CPU in ms a task, which says more than the rate where others use the machine too. */
interface Sample {
  readonly perSecond: number
  readonly serverCpu: number
  readonly postgresCpu: number
  readonly runnerCpu: number
}

/** No-op tasks per second through one runner and through four, against starting /bin/true from Node with as many at once. */
export async function benchTasks(): Promise<Report> {
  await using subject = await openHouseUnderTest()
  const team = await makeTeam(subject.house.api, 'tasks')
  const wide = await makePipeline(subject.house.api, team, wideDocument())
  const small = await makePipeline(subject.house.api, team, SMALL)
  const layered = await makePipeline(subject.house.api, team, layeredDocument())
  const spawns: number[] = []
  const spawnsBesideFour: number[] = []
  const one: Sample[] = []
  const many: Sample[] = []
  const deep: Sample[] = []
  const four: Sample[] = []
  const runner = await startRunner(subject.house, { capacity: CAPACITY })
  try {
    await measureWide(subject, team, wide, { runners: [runner] })
    for (let round = 0; round < ROUNDS; round++) {
      await sleep(SETTLE_MS)
      spawns.push(await spawnRate(CAPACITY, SPAWN_MS))
      await sleep(SETTLE_MS)
      one.push(await measureWide(subject, team, wide, { runners: [runner] }))
      await sleep(SETTLE_MS)
      many.push(await measureMany(subject, team, small, runner))
      await sleep(SETTLE_MS)
      deep.push(await measureWide(subject, team, layered, { runners: [runner], tasks: LAYERS * LAYER }))
    }
  } finally {
    await runner.stop()
  }
  const runners = await Promise.all(
    Array.from({ length: RUNNERS }, () => startRunner(subject.house, { capacity: CAPACITY / RUNNERS })),
  )
  try {
    await measureWide(subject, team, wide, { runners })
    for (let round = 0; round < ROUNDS; round++) {
      await sleep(SETTLE_MS)
      spawnsBesideFour.push(await spawnRate(CAPACITY, SPAWN_MS))
      await sleep(SETTLE_MS)
      four.push(await measureWide(subject, team, wide, { runners }))
    }
  } finally {
    for (const each of runners) await each.stop()
  }
  return {
    name: 'tasks',
    says: `no-op tasks through runners of capacity ${CAPACITY} in all; medians of ${ROUNDS} rounds, interleaved`,
    figures: [
      { what: 'Node starts /bin/true', value: median(spawns), unit: '/s' },
      ...figuresOf(`one run of ${TASKS} tasks`, one, spawns),
      ...figuresOf(`${TASKS} runs of one task`, many, spawns),
      ...figuresOf(`one run of ${TASKS} tasks, ${RUNNERS} runners`, four, spawnsBesideFour),
      {
        what: `one run of ${LAYERS * LAYER} tasks in ${LAYERS} layers: a task, beyond the start of its process`,
        value: median(deep.map((sample) => 1000 / sample.perSecond)) - 1000 / median(spawns),
        unit: 'ms',
      },
    ],
  }
}

const SMALL = `
name: small
steps:
  - name: only
    tasks:
      - { name: only, run: "true", checkout: false }
`

function wideDocument(): string {
  const tasks = Array.from({ length: TASKS }, (_, index) => `      - { name: t${index}, run: "true", checkout: false }`)
  return ['name: wide', 'steps:', '  - name: all', '    tasks:', ...tasks].join('\n')
}

/** A layer is a step: it begins when the one before has ended. */
function layeredDocument(): string {
  const layers = Array.from({ length: LAYERS }, (_each, layer) => {
    const tasks = Array.from(
      { length: LAYER },
      (_, index) => `      - { name: t${index}, run: "true", checkout: false }`,
    )
    const after = layer === 0 ? [] : [`    depends_on: [layer-${layer - 1}]`]
    return [`  - name: layer-${layer}`, ...after, '    tasks:', ...tasks].join('\n')
  })
  return ['name: layered', 'steps:', ...layers].join('\n')
}

/** The time is the run's own, from its start to its end. */
async function measureWide(
  subject: HouseUnderTest,
  team: Team,
  pipeline: string,
  { runners, tasks = TASKS }: { readonly runners: readonly RunnerProcess[]; readonly tasks?: number },
) {
  return withCpu(subject, runners, tasks, async () => {
    const runId = await startRun(subject, team, pipeline)
    await ended(subject, [runId])
    return [runId]
  })
}

/** The runs are queued while the runner takes nothing, so that queueing them is not part of the time. */
async function measureMany(subject: HouseUnderTest, team: Team, pipeline: string, runner: RunnerProcess) {
  const { api } = subject.house
  const [{ id } = { id: '' }] = await api.get<{ id: string }[]>('/v1/runners')
  await api.send('PATCH', `/v1/runners/${id}`, { enabled: false })
  const runIds: string[] = []
  while (runIds.length < TASKS) {
    runIds.push(...(await Promise.all(Array.from({ length: 50 }, () => startRun(subject, team, pipeline)))))
  }
  return withCpu(subject, [runner], TASKS, async () => {
    await api.send('PATCH', `/v1/runners/${id}`, { enabled: true })
    await ended(subject, runIds)
    return runIds
  })
}

/** Asks seldom and by SQL: reading a run of a thousand tasks over the API would be the larger part of the work. */
async function ended(subject: HouseUnderTest, runIds: readonly string[]): Promise<void> {
  for (let asked = 0; asked * POLL_MS < END_TIMEOUT_MS; asked++) {
    await sleep(POLL_MS)
    const [row] = await subject.query<{ left: number }>(UNFINISHED, [runIds])
    if (row?.left === 0) return
  }
  throw new Error('The runs did not end in time')
}

const UNFINISHED = 'select count(*)::int as left from runs where id = any($1::uuid[]) and finished_at is null'

async function startRun(subject: HouseUnderTest, team: Team, pipeline: string): Promise<string> {
  const path = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
  const { run_id } = await subject.house.api.send<{ run_id: string }>('POST', path, { scope: team.scope })
  return run_id
}

async function withCpu(
  subject: HouseUnderTest,
  runners: readonly RunnerProcess[],
  tasks: number,
  work: () => Promise<readonly string[]>,
): Promise<Sample> {
  const ofRunners = () => runners.reduce((sum, each) => sum + familyCpuSeconds(each.pid), 0)
  const before = { ...subject.cpu(), runner: ofRunners() }
  const runIds = await work()
  const after = { ...subject.cpu(), runner: ofRunners() }
  const [row] = await subject.query<{ tasks: number; seconds: number; wrong: number }>(
    `select (select count(*)::int from run_tasks where run_id = any($1::uuid[])) as tasks,
       extract(epoch from max(finished_at) - min(started_at))::float8 as seconds,
       (count(*) filter (where status <> 'success'))::int as wrong
     from runs where id = any($1::uuid[])`,
    [runIds],
  )
  if (!row || row.wrong > 0 || row.tasks !== tasks) throw new Error(`Not every task ran: ${JSON.stringify(row)}`)
  return {
    perSecond: row.tasks / row.seconds,
    serverCpu: ((after.server - before.server) * 1000) / row.tasks,
    postgresCpu: ((after.postgres - before.postgres) * 1000) / row.tasks,
    runnerCpu: ((after.runner - before.runner) * 1000) / row.tasks,
  }
}

function figuresOf(what: string, samples: readonly Sample[], spawns: readonly number[]): Figure[] {
  const of = (pick: (sample: Sample) => number) => median(samples.map(pick))
  const ratios = samples.map((sample, round) => sample.perSecond / (spawns[round] ?? Number.NaN))
  return [
    { what: `${what}: rate`, value: of((sample) => sample.perSecond), unit: '/s' },
    { what: `${what}: ratio`, value: median(ratios), unit: 'of /bin/true', atLeast: TARGET_RATIO },
    { what: `${what}: CPU of the server`, value: of((sample) => sample.serverCpu), unit: 'ms a task' },
    { what: `${what}: CPU of PostgreSQL`, value: of((sample) => sample.postgresCpu), unit: 'ms a task' },
    { what: `${what}: CPU of the runner and its tasks`, value: of((sample) => sample.runnerCpu), unit: 'ms a task' },
  ]
}
