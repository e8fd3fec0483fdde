import type { ApprovalRequest } from '@signalbox/contracts/runs'
import type { Graph } from '@signalbox/pipeline/graph'
import type { Queryable } from '#platform/database'
import type { Kit } from '#platform/room'
import type { Knowledge, PinnedRevision } from '#rooms/catalog/knowledge'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { QueueJudgement } from '../rules/explain-queue.ts'
import type { StepRow, TaskRow } from '../rules/stored-rows.ts'
import { explainWithheld } from '../rules/withheld.ts'
import { type ApprovalRow, listApprovals } from '../store/approvals.ts'
import { type AttemptRow, listAttempts } from '../store/attempts.ts'
import { findRunBefore } from '../store/groups.ts'
import type { DetailRow } from '../store/list-runs.ts'
import { loadSteps, loadTasks } from '../store/load-runs.ts'
import { listPins, listWaiting, type StoredPin } from '../store/queue-place.ts'
import { findPlace, type QueuePlace } from './find-place.ts'
import { type JudgeNeeds, judgeQueue } from './judge-queue.ts'

/** A higher room tells what people were asked about a run. */
export type RequestReader = (db: Queryable, runId: string) => Promise<readonly ApprovalRequest[]>

export interface DescribeNeeds extends JudgeNeeds {
  readonly readRequests: RequestReader
  readonly pipelines: Pick<Pipelines, 'getGraph'>
  readonly knowledge: Pick<Knowledge, 'snapshot' | 'describeRevisions'>
}

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
  readonly approvals: readonly ApprovalRow[]
  readonly requests: readonly ApprovalRequest[]
  readonly pins: readonly (StoredPin & Pick<PinnedRevision, 'identifier' | 'kind' | 'revision'>)[]
}

export async function describeRun(kit: Kit, needs: DescribeNeeds, run: DetailRow): Promise<RunDescription> {
  const db = kit.database.kysely
  const graph = await needs.pipelines.getGraph(db, run.pipeline_version_id)
  const steps = await loadSteps(db, [run.id])
  const tasks = await loadTasks(db, [run.id])
  const attempts = await listAttempts(db, run.id)
  const withheld = run.status === 'queued' ? await explain(db, run) : undefined
  const queued = run.status === 'queued' && withheld === undefined
  return {
    run,
    graph,
    steps: new Map(steps.map((row) => [row.step, row])),
    tasks: new Map(tasks.map((row) => [`${row.step}/${row.task}`, row])),
    attempts: Map.groupBy(attempts, (attempt) => `${attempt.step}/${attempt.task}`),
    judgement: queued ? await judgeQueue(needs, db, run) : undefined,
    place: queued ? await findPlace(kit.clock, db, run) : undefined,
    waiting: attempts.some(({ status }) => status === 'waiting') ? await judgeAttempts(needs, db, run) : new Map(),
    withheld,
    approvals: await listApprovals(db, run.id),
    requests: await needs.readRequests(db, run.id),
    pins: await describePins(needs, db, run),
  }
}

async function explain(db: Queryable, run: DetailRow): Promise<string | undefined> {
  const { id, team_path, withheld, pull_request: pullRequest, concurrency_group: group } = run
  const waits = withheld === 'group' && group !== null
  const before = waits ? await findRunBefore(db, { id, team_path, concurrency_group: group }) : undefined
  return explainWithheld({ withheld, pullRequest, group, before })
}

/** Worked out when it is asked for: what keeps an attempt waiting changes with every runner that comes and goes. */
async function judgeAttempts(
  needs: DescribeNeeds,
  db: Queryable,
  run: DetailRow,
): Promise<Map<string, QueueJudgement>> {
  const byLane = new Map<string, QueueJudgement>()
  const found = new Map<string, QueueJudgement>()
  for (const waiting of await listWaiting(db, run.id)) {
    // What is said of a runner that has a workspace names the step.
    const key = `${waiting.lane}\n${waiting.step}`
    const judgement = byLane.get(key) ?? (await judgeQueue(needs, db, waiting))
    byLane.set(key, judgement)
    found.set(`${waiting.step}/${waiting.task}`, judgement)
  }
  return found
}

async function describePins(needs: DescribeNeeds, db: Queryable, run: DetailRow): Promise<RunDescription['pins']> {
  const pins = await listPins(db, run.id)
  if (pins.length === 0) return []
  const ids = [...new Set(pins.map((pin) => pin.revision_id))]
  const revisions = new Map((await needs.knowledge.describeRevisions(db, ids)).map((each) => [each.id, each]))
  return pins.flatMap((pin) => {
    const known = revisions.get(pin.revision_id)
    return known ? [{ ...pin, identifier: known.identifier, kind: known.kind, revision: known.revision }] : []
  })
}
