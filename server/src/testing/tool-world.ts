import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { signPush } from '../adapters/forges/github/testing.ts'
import { aDocument, aPipeline } from '../rooms/catalog/pipelines/testing.ts'
import { aRunner } from '../rooms/catalog/runners/testing.ts'
import { writeLines } from '../rooms/execution/logs/testing.ts'
import { aRun } from '../rooms/execution/runs/testing.ts'
import { anEnvironment } from '../rooms/foundation/teams/testing.ts'
import type { TestHouse } from './test-house.ts'

/** A team with one thing of each kind that a tool may be called on: ids, and the names that contain the team's path. */
export interface ToolPlace {
  readonly team: string
  readonly scope: string
  readonly pipeline: string
  readonly schedule: string
  readonly repository: string
  readonly source: string
  readonly delivery: string
  readonly trigger: string
  readonly runner: string
  readonly knowledge: string
  /** Queued. */
  readonly waiting: string
  /** Failed, with a log. */
  readonly failed: string
  readonly succeeded: string
  /** Of a fork: somebody has to approve it. */
  readonly held: string
  /** A plan of somebody else. */
  readonly plan: string
}

/** Nothing of this is there. */
export const NOWHERE: ToolPlace = {
  team: 'nowhere',
  scope: 'nowhere/test',
  pipeline: 'nowhere/build',
  schedule: 'nowhere/nightly',
  repository: 'acme/nothing',
  source: randomUUID(),
  delivery: randomUUID(),
  trigger: randomUUID(),
  runner: randomUUID(),
  knowledge: randomUUID(),
  waiting: randomUUID(),
  failed: randomUUID(),
  succeeded: randomUUID(),
  held: randomUUID(),
  plan: randomUUID(),
}

const SECRET = 'the-value-of-the-hook'

/** Lays out a team. `root` is a token that may do everything. */
export async function makePlace(house: TestHouse, root: string, team: string): Promise<ToolPlace> {
  const { db, ask, make, http } = house
  const post = (url: string, body: object): Promise<string> => make(root, 'POST', url, body)
  const [scope, pipeline] = [`${team}/test`, `${team}/build`]
  const repository = `acme/of-${team.replace('/', '-')}`
  await anEnvironment(db, scope)
  const made = await aPipeline(db, pipeline, aDocument('build', 'checkout: false\n'))
  await post('/v1/secrets', { team_path: team, name: 'hook', value: SECRET })
  const source = await post('/v1/git-webhook-sources', {
    name: `hub-${team.replace('/', '-')}`,
    provider: 'github',
    team_path: team,
    credential_ref: `secret:${team}/hook`,
    repository_allowlist: ['acme/*'],
  })
  const target = { pipeline, scope }
  const matching = { repositories: ['acme/widgets'], events: ['push'], source_id: source }
  const trigger = await post('/v1/triggers', { team_path: team, name: 'push', ...matching, ...target })
  const nightly = { schedule_kind: 'recurring', cron_expression: '@daily', enabled: false }
  await post('/v1/schedules', { path: team, name: 'nightly', ...nightly, ...target })
  const rule = { kind: 'guardrail', rule: 'run.scope != "x"', message: 'No.', text: 'Why.' }
  const knowledge = await post('/v1/knowledge', { team_path: team, name: 'rule', ...rule })
  await make(root, 'PUT', `/v1/overrides/${repository}`, target)
  const { headers, body } = signPush({ secret: SECRET, deliveryId: randomUUID() })
  const delivered = await http.app.inject({
    method: 'POST',
    url: `/v1/git/webhooks/${source}`,
    headers,
    payload: body,
  })
  assert.ok(delivered.statusCode < 300, delivered.body)
  const [first] = JSON.parse((await ask(root, 'GET', `/v1/deliveries?source=${source}`)).text)
  const runs: string[] = []
  for (const more of [{}, {}, {}, { heldFork: 7 }]) runs.push(await aRun(db, made, { teamPath: team, scope, ...more }))
  // A success counts where it came first.
  const [succeeded = '', failed = '', waiting = '', held = ''] = runs
  await writeLines(house.kit, failed, ['compiling', 'error: no such file', 'done'])
  await sql`update attempts set status = 'failure', exit_code = 1, finished_at = now() where run_id = ${failed}`.execute(
    db,
  )
  await sql`update run_tasks set status = 'failure', finished_at = now() where run_id = ${failed}`.execute(db)
  await sql`update run_steps set status = 'failure', finished_at = now() where run_id = ${failed}`.execute(db)
  for (const [id, status] of [
    [succeeded, 'success'],
    [failed, 'failure'],
  ]) {
    await sql`update runs set status = ${status}, started_at = now(), finished_at = now() where id = ${id}`.execute(db)
  }
  const { id: runner } = await aRunner(db, { name: 'box', teamPath: team, scopes: [`${team}/**`] })
  const plan = await post('/v1/plans', { action: 'cancelRun', params: { id: waiting }, body: {} })
  return {
    team,
    scope,
    pipeline,
    schedule: `${team}/nightly`,
    repository,
    source,
    delivery: String(first.id),
    trigger,
    runner,
    knowledge,
    waiting,
    failed,
    succeeded,
    held,
    plan,
  }
}
