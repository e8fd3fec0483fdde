import { randomBytes } from 'node:crypto'
import type { Api } from '../../house/api.ts'
import type { House } from '../../house/house.ts'
import { runEnd } from '../../house/runs.ts'
import { deliverPush, makePipeline, makeTrigger, type Team } from '../../house/team.ts'
import { waitFor } from '../../house/wait.ts'

/** What a person who asks knows: each is named in a question. */
export interface Facts {
  /** Commits by what was done with them. */
  readonly commits: Readonly<Record<CommitName, string>>
  /** Ids of runs by what became of them. */
  readonly runs: Readonly<Record<RunName, string>>
  readonly runner: string
  readonly deliveryId: string
}

const COMMITS = ['feature', 'tagged', 'docs', 'wiki', 'unheard', 'started', 'gone', 'twice'] as const
export type CommitName = (typeof COMMITS)[number]

export const RUNS = [
  'good',
  'bad',
  'compile',
  'late',
  'green',
  'changed',
  'nobody',
  'profile',
  'grouped',
  'approval',
  'holder',
  'emergency',
  'child',
  'rejected',
] as const
export type RunName = (typeof RUNS)[number]

export interface QuestionWorld {
  readonly facts: Facts
  /** The token of an agent who may work in the team. */
  readonly agent: string
  /** The token of somebody with every right elsewhere, and none here. */
  readonly stranger: string
  /** Whatever a stranger must not learn. */
  readonly hidden: readonly string[]
}

function script(run: string): string {
  return `{ name: work, checkout: false, run: ${JSON.stringify(run)} }`
}

function oneStep(name: string, run: string, more = ''): string {
  return `name: ${name}\n${more}steps:\n  - name: main\n    tasks: [${script(run)}]\n`
}

const PIPELINES: Readonly<Record<string, string>> = {
  ok: oneStep('ok', 'echo fine'),
  tests: oneStep(
    'tests',
    'for n in 1 2 3 4 5; do echo "suite $n took $n ms"; done; if [ "$MODE" = bad ]; then echo "AssertionError: the basket holds 3, wanted 4"; exit 7; fi; echo all done',
    'variables: { MODE: good }\n',
  ),
  compile: `name: compile
steps:
  - name: build
    tasks: [${script('echo "src/basket.ts:12 cannot find the name Basket" >&2; exit 2')}]
  - name: ship
    depends_on: [build]
    tasks: [${script('echo shipped')}]
`,
  // Long enough for its first line on a busy machine.
  late: `name: late\nsteps:\n  - name: main\n    tasks: [{ name: work, checkout: false, timeout: 6s, run: "echo begun; sleep 60" }]\n`,
  holder: oneStep('holder', 'echo holding; sleep 900', 'concurrency: { group: one, on_conflict: queue }\n'),
  gate: `name: gate
steps:
  - name: ask
    approval: { approvers: [role:owner], required: 1 }
  - name: ship
    depends_on: [ask]
    tasks: [${script('echo shipped')}]
`,
  gpu: oneStep('gpu', 'echo fast', 'profile: gpu\n'),
  parent: `name: parent\nsteps:\n  - name: main\n    tasks: [{ name: inner, pipeline: acme/compile }]\n`,
}

/** A team with pushes that started nothing, runs that wait and runs that failed, each for one reason. */
export async function makeQuestionWorld(house: House, team: Team): Promise<QuestionWorld> {
  const { api } = house
  await api.send('POST', '/v1/teams/acme/environments', { name: 'lonely' })
  await api.send('POST', '/v1/teams/acme/environments', { name: 'frozen' })
  await api.send('POST', '/v1/profiles', { team_path: 'acme', name: 'gpu', executor: 'host', labels: ['gpu'] })
  for (const [name, document] of Object.entries(PIPELINES)) {
    if (name !== 'parent') await makePipeline(api, team, document)
  }
  await makePipeline(api, team, PIPELINES['parent'] ?? '')
  const agent = await aPerson(api, 'agent', 'owner', 'acme')
  const boss = await aPerson(api, 'boss', 'owner', 'acme')
  await api.send('POST', '/v1/teams', { path: 'elsewhere' })
  const stranger = await aPerson(api, 'stranger', 'owner', 'elsewhere')
  const { commits, deliveryId } = await pushAll(api, team)
  const runs = await runAll(api, api.as(boss))
  const [runner] = await api.get<{ id: string; name: string }[]>('/v1/runners')
  await makeSchedules(api, team)
  const hidden = [...Object.values(commits), ...Object.values(runs), 'acme/tests', 'basket', 'nightly']
  return { facts: { commits, runs, runner: runner?.name ?? '', deliveryId }, agent, stranger, hidden }
}

async function aPerson(api: Api, login: string, role: string, teamPath: string): Promise<string> {
  const user = await api.send<{ id: string }>('POST', '/v1/users', { login, name: login })
  await api.send('POST', '/v1/grants', { subject: `user:${user.id}`, role, team_path: teamPath })
  const made = await api.send<{ token: string }>('POST', '/v1/tokens', { name: login, user_id: user.id })
  return made.token
}

/** Pushes by their commit; only one of them starts a run. */
async function pushAll(api: Api, team: Team) {
  await makeTrigger(api, team, 'main-only', 'acme/ok')
  await narrowTrigger(api, 'main-only', { branches: ['main'] })
  await makeTrigger(api, team, 'docs', 'acme/ok')
  await narrowTrigger(api, 'docs', { branches: ['docs'], enabled: false })
  const commits = Object.fromEntries(COMMITS.map((name) => [name, randomBytes(20).toString('hex')]))
  const before = '0'.repeat(40)
  const push = (name: CommitName, ref: string, more: object = {}) =>
    deliverPush(api, team, 'https://127.0.0.1/acme/shop.git', { before, after: commits[name] ?? '', ref, ...more })
  await push('feature', 'refs/heads/feature/basket')
  await push('tagged', 'refs/tags/v1.0.0')
  await push('docs', 'refs/heads/docs')
  const { deliveryId } = await push('twice', 'refs/heads/feature/twice')
  await push('twice', 'refs/heads/feature/twice', { deliveryId })
  await push('started', 'refs/heads/main')
  return { commits: commits as Facts['commits'], deliveryId }
}

async function narrowTrigger(api: Api, name: string, change: object): Promise<void> {
  const triggers = await api.get<{ id: string; name: string }[]>('/v1/triggers?limit=100')
  const trigger = triggers.find((each) => each.name === name)
  await api.send('PATCH', `/v1/triggers/${trigger?.id}`, change)
}

/** Runs by what became of them: those that end come first, and what never ends waits. */
async function runAll(api: Api, boss: Api): Promise<Facts['runs']> {
  const runs: Partial<Record<RunName, string>> = {}
  const start = async (name: RunName, pipeline: string, body: object = {}): Promise<string> => {
    const path = `/v1/pipelines/${encodeURIComponent(`acme/${pipeline}`)}/runs`
    const { run_id: id } = await api.send<{ run_id: string }>('POST', path, { scope: 'acme/test', ...body })
    runs[name] = id
    return id
  }
  await runEnd(api, await start('good', 'tests'))
  await runEnd(api, await start('bad', 'tests', { variables: { MODE: 'bad' } }))
  await runEnd(api, await start('compile', 'compile'))
  await runEnd(api, await start('late', 'late'))
  await runEnd(api, await start('green', 'ok'))
  const changed = oneStep('ok', 'echo fine; exit 3')
  await api.send('PUT', `/v1/pipelines/${encodeURIComponent('acme/ok')}`, { team_path: 'acme', document: changed })
  await runEnd(api, await start('changed', 'ok'))
  await runEnd(api, await start('child', 'parent'))
  await start('holder', 'holder')
  await waitFor(
    'the holder to run',
    () => api.get<{ status: string }>(`/v1/runs/${runs.holder}/status`),
    (run) => run.status === 'running',
  )
  await start('grouped', 'holder')
  await start('nobody', 'ok', { scope: 'acme/lonely' })
  await start('profile', 'gpu')
  const gate = await start('approval', 'gate')
  const rejected = await start('rejected', 'gate')
  await waitFor(
    'both to wait for an approval',
    () => boss.get<unknown[]>('/v1/approvals'),
    (all) => all.length === 2,
  )
  await boss.send('POST', `/v1/runs/${rejected}/approvals/ask`, { decision: 'reject', comment: 'Not on a Friday.' })
  await runEnd(api, rejected)
  await api.send('POST', '/v1/emergencies', { scope: 'acme/frozen', reason: 'The database is being moved.' })
  await start('emergency', 'ok', { scope: 'acme/frozen' })
  if (gate === '') throw new Error('the gate has no run')
  return runs as Facts['runs']
}

/** One that fires in the night, one that is disabled. */
async function makeSchedules(api: Api, { path, scope }: Team): Promise<void> {
  const usual = { path, pipeline: 'acme/ok', scope, schedule_kind: 'recurring', timezone: 'Europe/Berlin' }
  const nightly = { ...usual, name: 'nightly', cron_expression: '0 3 * * *' }
  const { id } = await api.send<{ id: string }>('POST', '/v1/schedules', nightly)
  await api.send('POST', `/v1/schedules/${id}/disable`)
  await api.send('POST', '/v1/schedules', { ...usual, name: 'weekly', cron_expression: '0 3 * * 1' })
}
