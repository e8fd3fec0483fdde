import type { Api } from '../house/api.ts'
import { startRunner } from '../house/runner.ts'
import { runEnd } from '../house/runs.ts'
import { deliverPush, makePipeline, type Team } from '../house/team.ts'
import type { Scenery } from './scenery.ts'
import type { Stage } from './stage.ts'

/** The scenery as pictures show it: a release that failed, a decision that waits, a source that fell sick. */
export interface Exhibition {
  readonly scenery: Scenery
  close(): Promise<void>
}

const RELEASE = `name: release
checkout: false
steps:
  - name: build
    tasks:
      - name: compile
        run: |
          for part in core api web; do echo "compiling packages/$part"; sleep 0.2; done
          printf '\\033[32mcompiled 214 files\\033[0m\\n'
      - name: lint
        ignore_failure: true
        run: |
          printf '\\033[33mwarning\\033[0m  src/cart.ts:41  unused variable "total"\\n' >&2
          exit 1
  - name: test
    depends_on: [build]
    matrix: { node: ["22", "24"] }
    tasks:
      - name: unit
        env: { NODE_MAJOR: "\${{ matrix.node }}" }
        run: |
          echo "running 128 tests on node $NODE_MAJOR"
          sleep 0.4
          echo "ok   cart adds an item"
          echo "ok   cart removes an item"
          [ "$NODE_MAJOR" = 22 ] && exit 0
          printf '\\033[31mFAIL\\033[0m cart rounds the total\\n' >&2
          printf '     expected 4.20, got 4.199999\\n     at src/cart.test.ts:57\\n' >&2
          exit 1
  - name: package
    depends_on: [test]
    tasks: [{ name: image, run: echo packed }]
  - name: deploy
    depends_on: [package]
    tasks: [{ name: staging, run: echo deployed }]
`

const APPROVED = `name: ship
checkout: false
steps:
  - name: build
    tasks: [{ name: compile, run: echo compiled }]
  - name: release
    depends_on: [build]
    approval:
      approvers: ["role:operator", "role:owner"]
      required: 2
      message: Ship 4.2 to production?
      fields:
        - { name: ticket, type: text, required: true }
        - { name: region, type: choice, options: [eu, us], default: eu }
  - name: deploy
    depends_on: [release]
    tasks: [{ name: production, run: echo shipped }]
`

export async function makeExhibition(stage: Stage): Promise<Exhibition> {
  const { house, world } = stage
  const { admin, team } = world
  for (const id of world.ids.get('/v1/emergencies') ?? []) await admin.send('POST', `/v1/emergencies/${id}/lift`)
  const runner = await startRunner(
    { ...house, api: admin },
    { name: 'linux-1', teamPath: team.path, scopes: [`${team.path}/**`], labels: ['linux', 'arm64'] },
  )
  const release = await makePipeline(admin, team, RELEASE)
  const ship = await makePipeline(admin, team, APPROVED)
  await makeSchedules(admin, team, release)
  await admin.send('POST', '/v1/triggers', {
    name: 'release-tags',
    team_path: team.path,
    source_id: team.sourceId,
    repositories: ['acme/shop'],
    events: ['push'],
    tags: ['v*'],
    pipeline: ship,
    scope: team.scope,
  })
  const delivery = await makeDeliveries(stage, team)
  const failed = await startRun(admin, team, release)
  await runEnd(admin, failed)
  await startRun(admin, team, ship)
  const ids = new Map([...world.ids, ['deliveries', [delivery]]])
  const scenery = { ...stage, runs: { ...stage.runs, failed }, world: { ...world, ids } }
  return { scenery, close: () => runner.stop() }
}

async function startRun(admin: Api, team: Team, pipeline: string): Promise<string> {
  const asked = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
  return (await admin.send<{ run_id: string }>('POST', asked, { scope: team.scope })).run_id
}

/** Each day of the week has something. */
async function makeSchedules(admin: Api, { path, scope }: Team, pipeline: string): Promise<void> {
  const common = { path, pipeline, scope, schedule_kind: 'recurring' }
  await admin.send('POST', '/v1/schedules', { ...common, name: 'nightly', cron_expression: '15 3 * * *' })
  await admin.send('POST', '/v1/schedules', { ...common, name: 'weekly-report', cron_expression: '0 9 * * 1' })
}

/** A push whose branch no tag trigger takes, and one with a wrong signature at a source that fell sick. */
async function makeDeliveries({ house, world }: Stage, team: Team): Promise<string> {
  const push = { before: '2'.repeat(40), after: '4f1d9a7'.padEnd(40, '3') }
  await deliverPush(world.admin, team, `${house.url}/acme/shop.git`, push)
  const [, spare = team.sourceId] = world.ids.get('/v1/git-webhook-sources') ?? []
  for (const after of ['5', '6', '7']) {
    const forged = { ...team, sourceId: spare, webhookSecret: 'not-the-secret' }
    await deliverPush(world.admin, forged, `${house.url}/acme/shop.git`, { ...push, after: after.repeat(40) })
  }
  const [latest] = await world.admin.get<{ id: string }[]>(`/v1/git-webhook-sources/${team.sourceId}/deliveries`)
  return latest?.id ?? ''
}
