import type { Api } from '../house/api.ts'
import { signIn } from '../house/browser.ts'
import type { House } from '../house/house.ts'
import { runEnd } from '../house/runs.ts'
import { makePipeline, type Team } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'
import { makeWorld, type World } from '../house/world.ts'
import { makePeople, type People } from './people.ts'
import { makeGuarded, type Plan, putBeforePerson, runOf } from './planned.ts'

/** What the pages show: a team with one of everything, people who sign in, and runs that ended in each way. */
export interface Scenery {
  readonly world: World
  readonly people: People
  readonly runs: Readonly<Record<'succeeded' | 'failed' | 'warned' | 'queued', string>>
  /** The scope of a protected environment: what agents plan there takes a second person. */
  readonly guarded: string
  /** A plan that waits for one. */
  readonly plan: string
}

const TEAM = 'acme'

const TESTED = `name: tested
checkout: false
steps:
  - name: build
    tasks:
      - { name: compile, run: "for i in 1 2 3 4 5; do echo compiling part $i; done" }
      - name: lint
        ignore_failure: true
        run: |
          printf '\\033[33mone warning\\033[0m\\n' >&2
          exit LINT
  - name: test
    depends_on: [build]
    tasks:
      - { name: unit, run: "echo 12 tests; exit UNIT" }
      - { name: browser, depends_on: [unit], run: echo all pages }
`

const WAITING = `name: waiting
checkout: false
profile: acme/rare
steps:
  - name: build
    tasks: [{ name: compile, run: echo nobody comes }]
`

export async function makeScenery(house: House): Promise<Scenery> {
  const world = await makeWorld(house, TEAM)
  const { admin, team } = world
  const people = await makePeople(admin, TEAM)
  // Everybody is signed in elsewhere, too: a page shows what one may do to other sessions.
  await Promise.all(Object.values(people).map(({ login, password }) => signIn(house.url, login, password)))
  await admin.send('POST', '/v1/profiles', { team_path: TEAM, name: 'rare', executor: 'host', labels: ['rare'] })
  await admin.send('PUT', '/v1/overrides/acme/frozen', {
    pipeline: world.pipeline,
    scope: team.scope,
    reason: 'release freeze',
  })
  await makeOlderVersions(world)
  const document = (name: string, lint: number, unit: number): string =>
    TESTED.replace('name: tested', `name: ${name}`).replace('LINT', String(lint)).replace('UNIT', String(unit))
  const runs = {
    succeeded: await startRun(house, team, document('web', 0, 0)),
    failed: await startRun(house, team, document('api', 0, 1)),
    warned: await startRun(house, team, document('docs', 1, 0)),
    queued: await startRun(house, team, WAITING),
  }
  const ended = [runs.succeeded, runs.failed, runs.warned].map((id) => runEnd(admin, id))
  await Promise.all([...ended, missFire(admin, world.ids.get('/v1/schedules')?.[0] ?? '')])
  const agent = world.members.operator
  const guarded = await makeGuarded(admin, TEAM, agent)
  const planned = await agent.send<Plan>('POST', '/v1/plans', runOf(world.pipeline, { scope: guarded }))
  return { world, people, runs, guarded, plan: (await putBeforePerson(agent, planned)).id }
}

/** Of a pipeline and of a secret: they can be restored and retired. */
async function makeOlderVersions({ admin, ids }: World): Promise<void> {
  const pipeline = `/v1/pipelines/${encodeURIComponent(ids.get('/v1/pipelines')?.[1] ?? '')}`
  const { document } = await admin.get<{ document: string }>(pipeline)
  await admin.send('PUT', pipeline, { document: `${document}# Changed.\n` })
  await admin.send('PUT', `/v1/secrets/${ids.get('/v1/secrets')?.at(-1)}`, { value: 'the second value' })
}

/** Without any grace the scheduler comes too late for an instant of each second. */
async function missFire(admin: Api, schedule: string): Promise<void> {
  const route = `/v1/schedules/${schedule}`
  const before = await admin.get<Record<'cron_expression' | 'misfire_grace_seconds', unknown>>(route)
  const { cron_expression, misfire_grace_seconds } = before
  await admin.send('PATCH', route, { cron_expression: '* * * * * *', misfire_grace_seconds: 0 })
  await waitFor(
    'a missed fire',
    () => admin.get<{ outcome: string }[]>(`${route}/fires`),
    (fires) => fires.some(({ outcome }) => outcome === 'missed'),
  )
  await admin.send('PATCH', route, { cron_expression, misfire_grace_seconds })
}

/** Saves the pipeline, and starts it once. */
async function startRun({ api }: House, team: Team, document: string): Promise<string> {
  const pipeline = await makePipeline(api, team, document)
  const asked = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
  return (await api.send<{ run_id: string }>('POST', asked, { scope: team.scope })).run_id
}
