import type { ApprovalRequest } from '@signalbox/contracts/runs'
import type { Graph } from '@signalbox/pipeline/graph'
import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import type { PinnedRevision } from '#rooms/catalog/knowledge'
import type { Means } from '../means.ts'
import type { QueueJudgement } from '../rules/explain-queue.ts'
import type { StepRow, TaskRow } from '../rules/stored-rows.ts'
import { explainWithheld } from '../rules/withheld.ts'
import { type ApprovalRow, listApprovals } from '../store/approvals.ts'
import { type AttemptRow, listAttempts } from '../store/attempts.ts'
import { findRunBefore } from '../store/groups.ts'
import { loadSteps, loadTasks } from '../store/load-runs.ts'
import { listPins, listWaiting, type StoredPin } from '../store/queue-place.ts'
import type { DetailRow } from '../store/run-columns.ts'
import { findPlace, type QueuePlace } from './find-place.ts'
import { judgeQueue } from './judge-queue.ts'

/** A run with its graph and where each part of it stands. */
export interface RunDescription {
  readonly run: DetailRow
  readonly graph: Graph | undefined
  readonly steps: ReadonlyMap<string, StepRow>
  /** By `<step>/<task>`. */
  readonly tasks: ReadonlyMap<string, TaskRow>
  readonly attempts: ReadonlyMap<string, readonly AttemptRow[]>
  /** While it waits for a runner. */
  readonly judgement: QueueJudgement | undefined
  readonly place: QueuePlace | undefined
  /** Why attempts that wait have no runner, by `<step>/<task>`. */
  readonly waiting: ReadonlyMap<string, QueueJudgement>
  /** Why it may not begin yet, whatever runners there are. */
  readonly withheld: string | undefined
  /** The run behind which it waits in its group. */
  readonly behind: string | undefined
  readonly approvals: readonly ApprovalRow[]
  readonly requests: readonly ApprovalRequest[]
  readonly pins: readonly (StoredPin & Pick<PinnedRevision, 'identifier' | 'kind' | 'revision'>)[]
}

export async function describeRun(means: Means, run: DetailRow, viewer: Caller): Promise<RunDescription> {
  const db = means.database.kysely
  const graph = await means.pipelines.getGraph(db, run.pipeline_version_id)
  const steps = await loadSteps(db, [run.id])
  const tasks = await loadTasks(db, [run.id])
  const attempts = await listAttempts(db, run.id)
  const behind = run.status === 'queued' ? await findBehind(db, run) : undefined
  const withheld = run.status === 'queued' ? describeWithheld(run, behind) : undefined
  const queued = run.status === 'queued' && withheld === undefined
  return {
    run,
    graph,
    steps: new Map(steps.map((row) => [row.step, row])),
    tasks: new Map(tasks.map((row) => [`${row.step}/${row.task}`, row])),
    attempts: Map.groupBy(attempts, (attempt) => `${attempt.step}/${attempt.task}`),
    judgement: queued ? await judgeQueue(means, db, run) : undefined,
    place: queued ? await findPlace(means.clock, db, run) : undefined,
    waiting: attempts.some(({ status }) => status === 'waiting') ? await judgeAttempts(means, db, run) : new Map(),
    withheld,
    behind,
    approvals: await listApprovals(db, run.id),
    requests: await means.above.readRequests(db, run.id, viewer),
    pins: await describePins(means, db, run),
  }
}

/** Why the run may not begin yet, whatever runners there are. */
export async function explain(db: Queryable, run: DetailRow): Promise<string | undefined> {
  return describeWithheld(run, await findBehind(db, run))
}

function describeWithheld(run: DetailRow, before: string | undefined): string | undefined {
  const { withheld, pull_request: pullRequest, concurrency_group: group } = run
  return explainWithheld({ withheld, pullRequest, group, before })
}

async function findBehind(db: Queryable, run: DetailRow): Promise<string | undefined> {
  const { id, team_path, withheld, concurrency_group: group } = run
  if (withheld !== 'group' || group === null) return undefined
  return await findRunBefore(db, { id, team_path, concurrency_group: group })
}

/** Worked out when it is asked for: what keeps an attempt waiting changes with every runner that comes and goes. */
async function judgeAttempts(means: Means, db: Queryable, run: DetailRow): Promise<Map<string, QueueJudgement>> {
  const byLane = new Map<string, QueueJudgement>()
  const found = new Map<string, QueueJudgement>()
  for (const waiting of await listWaiting(db, run.id)) {
    // The reason names the step where a runner has the workspace of a step.
    const key = `${waiting.lane}\n${waiting.step}`
    const judgement = byLane.get(key) ?? (await judgeQueue(means, db, waiting))
    byLane.set(key, judgement)
    found.set(`${waiting.step}/${waiting.task}`, judgement)
  }
  return found
}

async function describePins(means: Means, db: Queryable, run: DetailRow): Promise<RunDescription['pins']> {
  const pins = await listPins(db, run.id)
  if (pins.length === 0) return []
  const ids = [...new Set(pins.map((pin) => pin.revision_id))]
  const revisions = new Map((await means.knowledge.describeRevisions(db, ids)).map((each) => [each.id, each]))
  return pins.flatMap((pin) => {
    const known = revisions.get(pin.revision_id)
    return known ? [{ ...pin, identifier: known.identifier, kind: known.kind, revision: known.revision }] : []
  })
}
