import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { execute, type Tx } from '#platform/database'
import { until } from '#platform/testing'
import { aPipeline } from './rooms/catalog/pipelines/testing.ts'
import { aRunner } from './rooms/catalog/runners/testing.ts'
import { endRequest } from './rooms/execution/approvals/store/requests.ts'
import { appendRows, insertHeads } from './rooms/execution/logs/store/chunks.ts'
import { closeScrubs, insertScrub } from './rooms/execution/logs/store/scrubs.ts'
import { anAttempt } from './rooms/execution/logs/testing.ts'
import { cancelRuns } from './rooms/execution/runs/actions/change-runs.ts'
import { clearHold } from './rooms/execution/runs/store/approvals.ts'
import { noteWait } from './rooms/execution/runs/store/attempts.ts'
import { failRun } from './rooms/execution/runs/store/fail-run.ts'
import { insertFinalOutputs } from './rooms/execution/runs/store/final-outputs.ts'
import { tellGroupLeft } from './rooms/execution/runs/store/groups.ts'
import { saveProgress } from './rooms/execution/runs/store/save-progress.ts'
import { aRun } from './rooms/execution/runs/testing.ts'
import { revokeBootstrap } from './rooms/foundation/access/store/snapshot.ts'
import { aMember } from './rooms/foundation/access/testing.ts'
import { anEnvironment, aTeam } from './rooms/foundation/teams/testing.ts'
import { openTestHouse } from './testing/test-house.ts'

// Each change that others hear of by NOTIFY. Without it they would come to know it by their next poll, which no other test
// tells from a slow machine.

const { kit, database, db, make } = await openTestHouse()
const { token } = await aMember(db, 'root', 'administrator', '/')
await anEnvironment(db, 'acme/test')
await aTeam(db, 'acme/web')
const pipeline = await aPipeline(db, 'acme/web/build')
const at = new Date()
const post = (url: string, body: object): Promise<string> => make(token, 'POST', url, body)

const queued = (): Promise<string> => aRun(db, pipeline)
const running = async (): Promise<string> => {
  const { runId } = await anAttempt(kit)
  await sql`update runs set status = 'running', started_at = now() where id = ${runId}`.execute(db)
  return runId
}
const inTransaction = (work: (tx: Tx) => Promise<unknown>) => () => database.transaction(work)
const ENDED = { status: 'success', exit_code: 0, reason: null, started_at: at, finished_at: at } as const
const NOTHING = { at, runs: [], steps: [], tasks: [], inserts: [], leases: [], reports: [], cancels: [], pins: [] }

interface Telling {
  readonly what: string
  /** A channel, or one with its payload. */
  readonly channels: readonly string[]
  readonly act: () => Promise<unknown>
}

const heldId = await aRun(db, pipeline, { heldFork: 7 })
const canceledForkId = await aRun(db, pipeline, { heldFork: 8 })
const failedForkId = await aRun(db, pipeline, { heldFork: 9 })
const endedId = await running()
await sql`update runs set status = 'success', finished_at = now(), final_output_status = 'pending'
  where id = ${endedId}`.execute(db)
const groupedId = await queued()
await sql`update runs set concurrency_group = 'deploy', on_conflict = 'queue' where id = ${groupedId}`.execute(db)
const [canceledId, runningId, movedId, failedId] = [await queued(), await running(), await running(), await running()]
const logged = await anAttempt(kit)
await insertHeads(db, [logged.id])
const waiting = await anAttempt(kit)
const { id: runner } = await aRunner(db, { name: 'waiter' })
await sql`update attempts set status = 'leased', fence = 77, runner_id = ${runner}, lease_expires_at = now(),
  leased_at = now() where id = ${waiting.id}`.execute(db)
const request = kit.ids.next()
await sql`insert into approval_requests (id, run_id, step, team_path, pipeline_identifier, scope, initiator_kind,
    initiator_id, initiator_name, pipeline_version_id, approvers, required, allow_self, fields, status, requested_at,
    deadline_at)
  select ${request}, id, 'ask', team_path, pipeline_identifier, scope, initiator_kind, initiator_id, initiator_name,
    pipeline_version_id, array['role:owner'], 1, false, '[]', 'waiting', now(), now()
  from runs where id = ${runningId}`.execute(db)
const taken = await anAttempt(kit)
const { runId: run_id, step, task, number } = taken
const scrub = { id: kit.ids.next(), runId: logged.runId, sealedValues: Buffer.from('x'), requestedAt: at }
const moved = {
  id: movedId,
  revision: 0,
  status: 'running',
  reason: null,
  ending: null,
  started_at: at,
  finished_at: null,
  deadline_at: null,
  paused_at: null,
  lost_attempts: 0,
  final_output_status: 'none',
} as const
const rule = { team_path: 'acme', name: 'rule', kind: 'guardrail', rule: 'run.scope != "x"', message: 'No.' }
const document = 'name: build\nsteps:\n  - name: a\n    tasks:\n      - { name: b, run: echo hi }\n'
const PLANNED = document.replace('build', 'planned')
const trigger = { team_path: 'acme', name: 'on-push', repositories: ['acme/widgets'], events: ['push'] }
const schedule = {
  path: 'acme',
  name: 'nightly',
  pipeline: 'acme/web/build',
  schedule_kind: 'recurring',
  cron_expression: '30 2 * * *',
  scope: 'acme/test',
}
const source = {
  name: 'acme-github',
  provider: 'github',
  team_path: 'acme',
  credential_ref: 'secret:acme/hook',
  repository_allowlist: ['acme/*'],
}

/** In this order: what one makes the next ones use. */
const TELLING: readonly Telling[] = [
  { what: 'a grant', channels: ['access_changed'], act: () => post('/v1/users', { login: 'ada' }) },
  { what: 'the bootstrap token revoked', channels: ['access_changed'], act: () => revokeBootstrap(db, at) },
  {
    what: 'a secret',
    channels: ['sources_changed'],
    act: () => post('/v1/secrets', { team_path: 'acme', name: 'hook', value: 'the-value-of-hook' }),
  },
  { what: 'a source', channels: ['sources_changed'], act: () => post('/v1/git-webhook-sources', source) },
  {
    what: 'a profile',
    channels: ['profiles_changed'],
    act: () => post('/v1/profiles', { team_path: 'acme', name: 'host', executor: 'host' }),
  },
  {
    what: 'a pipeline',
    channels: ['pipelines_changed'],
    act: () => post('/v1/pipelines', { team_path: 'acme', document }),
  },
  {
    what: 'a trigger',
    channels: ['triggers_changed'],
    act: () => post('/v1/triggers', { ...trigger, pipeline: 'acme/build', scope: 'acme/test' }),
  },
  {
    what: 'an override',
    channels: ['overrides_changed'],
    act: () => make(token, 'PUT', '/v1/overrides/acme/widgets', { pipeline: 'acme/build', scope: 'acme/test' }),
  },
  {
    what: 'a plan',
    channels: ['plan_changed created'],
    act: () => post('/v1/plans', { action: 'createPipeline', body: { team_path: 'acme', document: PLANNED } }),
  },
  { what: 'a runner', channels: ['runners_changed', 'runner_changed created /'], act: () => aRunner(db) },
  {
    what: 'an item of knowledge',
    channels: ['knowledge_changed', 'knowledge_item_changed created acme'],
    act: () => post('/v1/knowledge', rule),
  },
  {
    what: 'an emergency',
    channels: ['knowledge_changed', 'emergencies_changed', 'emergency_changed created acme'],
    act: () => post('/v1/emergencies', { scope: 'acme/test', reason: 'Smoke.' }),
  },
  { what: 'a queued run', channels: ['runs_queued', 'runs_created created acme/web'], act: queued },
  {
    what: 'a run of a fork that is withheld',
    channels: ['runs_created created acme/web', 'approval_changed created'],
    act: () => aRun(db, pipeline, { heldFork: 10 }),
  },
  {
    what: 'a withheld run that was canceled',
    channels: [`run_changed ${canceledForkId}`, `approval_changed gone ${canceledForkId} fork`],
    act: inTransaction((tx) => cancelRuns(kit, tx, { ids: [canceledForkId], reason: 'No more.', at })),
  },
  {
    what: 'a withheld run that was ended by force',
    channels: [`run_changed ${failedForkId}`, `approval_changed gone ${failedForkId} fork`],
    act: inTransaction((tx) => failRun(tx, { id: failedForkId, reason: 'It is at fault.', ifWithheld: false }, at)),
  },
  {
    what: 'a schedule',
    channels: ['schedules_changed', 'schedule_changed created acme'],
    act: () => post('/v1/schedules', schedule),
  },
  {
    what: 'a run that was approved',
    channels: ['runs_queued', `run_changed ${heldId}`, `approval_changed gone ${heldId} fork`],
    act: inTransaction((tx) => clearHold(tx, heldId)),
  },
  {
    what: 'a queued run that was canceled',
    channels: [`run_changed ${canceledId}`],
    act: inTransaction((tx) => cancelRuns(kit, tx, { ids: [canceledId], reason: 'No more.', at })),
  },
  {
    what: 'a queued run of a group that was canceled',
    channels: [`run_changed ${groupedId}`, 'runs_group_left'],
    act: inTransaction((tx) => cancelRuns(kit, tx, { ids: [groupedId], reason: 'No more.', at })),
  },
  {
    what: 'an approval that ended',
    channels: [
      `approval_decided ${runningId}`,
      `run_changed ${runningId}`,
      `approval_changed gone ${runningId} ${request}`,
    ],
    act: inTransaction((tx) => endRequest(tx, request, 'approved', at)),
  },
  {
    what: 'a running run that is to be canceled',
    channels: [`runs_cancel ${runningId}`],
    act: inTransaction((tx) => cancelRuns(kit, tx, { ids: [runningId], reason: 'No more.', at })),
  },
  {
    what: 'a run that moved',
    channels: [`run_changed ${movedId}`],
    act: inTransaction((tx) => saveProgress(tx, { ...NOTHING, runs: [moved] })),
  },
  {
    what: 'a run that was ended by force',
    channels: [`run_changed ${failedId}`],
    act: inTransaction((tx) => failRun(tx, { id: failedId, reason: 'It is at fault.', ifWithheld: false }, at)),
  },
  {
    what: 'final outputs',
    channels: [`run_changed ${endedId}`],
    act: inTransaction((tx) => insertFinalOutputs(tx, endedId, { outputs: [], reason: null }, at)),
  },
  {
    what: 'what an attempt waits for',
    channels: [`run_changed ${waiting.runId}`],
    act: () => noteWait(db, runner, { fence: 77, reason: 'It waits for the engine.' }),
  },
  {
    what: 'an attempt that a runner gets',
    channels: [`runner_leases ${runner}`],
    act: inTransaction((tx) =>
      saveProgress(tx, { ...NOTHING, leases: [{ id: taken.id, runner_id: runner, lease_expires_at: at }] }),
    ),
  },
  {
    what: 'an attempt on a runner that is to end',
    channels: [`runner_leases ${runner}`],
    act: inTransaction((tx) =>
      saveProgress(tx, { ...NOTHING, cancels: [{ run_id, step, task, number, reason: 'No more.' }] }),
    ),
  },
  {
    what: 'an attempt that ends on its runner',
    channels: [`runner_leases ${runner}`],
    act: inTransaction((tx) => saveProgress(tx, { ...NOTHING, reports: [{ ...ENDED, id: taken.id }] })),
  },
  {
    what: 'an attempt whose run was ended by force',
    channels: [`runner_leases ${runner}`],
    act: inTransaction((tx) => failRun(tx, { id: waiting.runId, reason: 'At fault.', ifWithheld: false }, at)),
  },
  { what: 'a group that a run left', channels: ['runs_group_left'], act: () => tellGroupLeft(db) },
  {
    what: 'lines',
    channels: [`run_logs ${logged.runId}`],
    act: () => appendRows(db, [{ attemptId: logged.id, fromLine: 0, rows: [] }], [logged.runId]),
  },
  {
    what: 'a scrub that begins',
    channels: [`run_logs ${logged.runId}`],
    act: inTransaction((tx) => insertScrub(tx, scrub)),
  },
  {
    what: 'a scrub that ends',
    channels: [`run_logs ${logged.runId}`],
    act: () => closeScrubs(db, logged.runId, [scrub.id], at),
  },
]

const heard: string[] = []
for (const name of new Set(TELLING.flatMap(({ channels }) => channels.map((channel) => channel.split(' ')[0] ?? '')))) {
  database.notifications.listen(name, (payload) => {
    if (payload !== undefined) heard.push(`${name} ${payload}`)
  })
}
const MARK = 'test_mark'
database.notifications.listen(MARK, (payload) => {
  if (payload !== undefined) heard.push(`${MARK} ${payload}`)
})
await database.notifications.ready()

describe('others hear at once of', () => {
  for (const [index, { what, channels, act }] of TELLING.entries()) {
    test(what, async () => {
      heard.length = 0
      await act()
      // Notifications come in the order of commits: what was told came before this.
      await execute(db, { text: `select pg_notify('${MARK}', $1)`, values: [String(index)] })
      await until(
        'the mark',
        () => heard,
        (all) => all.includes(`${MARK} ${index}`),
      )
      for (const channel of channels) {
        assert.ok(
          heard.some((each) => each === channel || each.startsWith(`${channel} `)),
          `${channel} is not among ${heard}`,
        )
      }
    })
  }
})
