import { advanceAll, startRun } from '@signalbox/pipeline/status'
import { type Database, execute, type Queryable } from '#platform/database'
import { createIds } from '#platform/ids'
import type { Kit } from '#platform/room'
import { type Knowledge, knowledge } from '#rooms/catalog/knowledge'
import { type Pipelines, pipelines } from '#rooms/catalog/pipelines'
import { type Profiles, profiles } from '#rooms/catalog/profiles'
import { type Runners, runners } from '#rooms/catalog/runners'
import { NOTHING_ABOVE as NO_PIPELINES_ABOVE } from '../../catalog/pipelines/testing.ts'
import { type Foundation, openFoundation } from '../../foundation/access/testing.ts'
import { cancelRuns } from './actions/change-runs.ts'
import { type AboveRuns, type ProgressStore, type Runs, runs } from './index.ts'
import { insertQueued, type QueuedRow } from './store/new-runs.ts'

/** Where no room stands on runs. */
export const NOTHING_ABOVE: AboveRuns = {
  readHead: async () => undefined,
  findCheckout: async () => ({ field: 'repository', problem: 'No repository is known here.' }),
  readRequests: async () => [],
}

/** The room with those that it stands on. */
export interface RunsHouse extends Foundation {
  readonly knowledge: Knowledge
  readonly profiles: Profiles
  readonly pipelines: Pipelines
  readonly runners: Runners
  readonly runs: Runs
}

/** The rooms from audit to runs, as the house opens them; no loop runs. */
export async function openRuns(kit: Kit, above: AboveRuns = NOTHING_ABOVE): Promise<RunsHouse> {
  const foundation = await openFoundation(kit)
  const profileParts = await profiles.open(kit, foundation)
  const pipelineParts = await pipelines.open(kit, {
    ...foundation,
    profiles: profileParts.door,
    above: NO_PIPELINES_ABOVE,
  })
  const runnerParts = await runners.open(kit, foundation)
  const knowledgeParts = await knowledge.open(kit, foundation)
  const catalog = { knowledge: knowledgeParts.door, pipelines: pipelineParts.door, runners: runnerParts.door }
  const runParts = await runs.open(kit, { ...foundation, ...catalog, above })
  return {
    ...foundation,
    ...catalog,
    profiles: profileParts.door,
    runs: runParts.door,
    async close() {
      for (const each of [runParts, runnerParts, knowledgeParts, pipelineParts]) await each.close?.()
      await foundation.close()
    },
  }
}

const ids = createIds(Date.now)

export interface TestRun {
  readonly teamPath?: string
  readonly scope?: string
  readonly branch?: string
  readonly variables?: Readonly<Record<string, string>>
  readonly initiatorId?: string
  /** The number of a pull request from a fork: a member has to approve the run. */
  readonly heldFork?: number
}

/** Stores a queued run of a pipeline that exists; answers its id. */
export async function aRun(
  db: Queryable,
  pipeline: { readonly id: string; readonly versionId: string },
  run: TestRun = {},
): Promise<string> {
  const id = ids.next()
  const teamPath = run.teamPath ?? 'acme/web'
  const row: QueuedRow = {
    id,
    status: 'queued',
    team_path: teamPath,
    pipeline_id: pipeline.id,
    pipeline_version_id: pipeline.versionId,
    pipeline_identifier: `${teamPath}/build`,
    pipeline_name: 'build',
    pipeline_version: 1,
    scope: run.scope ?? `${teamPath}/production`,
    requirement: { executor: 'host', labels: [] },
    profile_environment: {},
    cause: 'request',
    initiator_kind: 'user',
    initiator_id: run.initiatorId ?? '01900000-0000-7000-8000-000000000001',
    initiator_name: 'tester',
    variables: run.variables ?? {},
    ref: run.branch === undefined ? undefined : `refs/heads/${run.branch}`,
    branch: run.branch,
    queued_at: new Date(),
    pull_request: run.heldFork,
    withheld: run.heldFork === undefined ? undefined : 'fork_approval',
    untrusted: run.heldFork !== undefined,
  }
  await execute(db, insertQueued([row]))
  return id
}

const NOTHING = { inserts: [], leases: [], reports: [], cancels: [], pins: [] }

/** Begins a queued run as a dispatcher does, but without any runner: its attempts are in nobody's hand. */
export async function beginRun(database: Database, progress: ProgressStore, id: string): Promise<void> {
  const { queued } = await progress.listLanes(database.kysely)
  await database.transaction(async (tx) => {
    const wish = { lanes: queued, limit: 1000, only: undefined, except: [] }
    const { runs: claimed } = await progress.claimQueued(tx, wish, () => undefined)
    const before = claimed.find(({ run }) => run.id === id)?.run
    if (!before) throw new Error(`The run ${id} is not in the queue`)
    const begun = startRun(before.graph, before.context)
    const transition = { ...begun, state: { ...begun.state, status: 'running' as const } }
    await progress.save(tx, { at: new Date(), runs: [{ before, transition }], ...NOTHING })
  })
}

/** Ends a run that has begun, all of its first tasks in the same way. */
export async function endRun(
  database: Database,
  progress: ProgressStore,
  id: string,
  result: 'success' | 'failure',
): Promise<void> {
  await database.transaction(async (tx) => {
    const [before] = await progress.load(tx, [id])
    if (!before?.state) throw new Error(`The run ${id} has not begun`)
    const events = before.state.steps.flatMap((step) =>
      step.tasks.map((task) => ({
        type: 'task_finished' as const,
        step: step.name,
        task: task.name,
        attempt: 1,
        result,
        reason: '',
      })),
    )
    const transition = advanceAll(before.graph, before.state, events, before.context)
    await progress.save(tx, { at: new Date(), runs: [{ before, transition }], ...NOTHING })
  })
}

/** Cancels a run as a person does. */
export async function endByCancel(kit: Kit, id: string, reason: string): Promise<void> {
  await kit.database.transaction((tx) => cancelRuns(kit, tx, { ids: [id], reason, at: kit.clock.now() }))
}
