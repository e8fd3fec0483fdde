import type { ApprovalRequest } from '@signalbox/contracts/runs'
import type { Graph } from '@signalbox/pipeline/graph'
import type { Queryable } from '#platform/database'
import type { Kit } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Judgement, Runners } from '#rooms/catalog/runners'
import { readRequirement } from '../rules/stored-json.ts'
import type { StepRow, TaskRow } from '../rules/stored-rows.ts'
import { explainWithheld } from '../rules/withheld.ts'
import { type ApprovalRow, listApprovals } from '../store/approvals.ts'
import { type AttemptRow, listAttempts } from '../store/attempts.ts'
import { countLeased, type DetailRow } from '../store/list-runs.ts'
import { loadSteps, loadTasks } from '../store/load-runs.ts'
import { findRunBefore } from '../store/settle.ts'

/** A higher room tells what people were asked about a run. */
export type RequestReader = (db: Queryable, runId: string) => Promise<readonly ApprovalRequest[]>

export interface DescribeNeeds {
  readonly readRequests: RequestReader
  readonly pipelines: Pick<Pipelines, 'getGraph'>
  readonly runners: Pick<Runners, 'list' | 'stateOf' | 'judge'>
}

/** A run with its graph and where each part of it stands. */
export interface RunDescription {
  readonly run: DetailRow
  readonly graph: Graph | undefined
  readonly steps: ReadonlyMap<string, StepRow>
  /** By `<step>/<task>`. */
  readonly tasks: ReadonlyMap<string, TaskRow>
  readonly attempts: ReadonlyMap<string, readonly AttemptRow[]>
  /** While something of it waits for a runner. */
  readonly judgement: Judgement | undefined
  /** Why it may not begin yet, whatever runners there are. */
  readonly withheld: string | undefined
  readonly approvals: readonly ApprovalRow[]
  readonly requests: readonly ApprovalRequest[]
}

export async function describeRun(kit: Kit, needs: DescribeNeeds, run: DetailRow): Promise<RunDescription> {
  const db = kit.database.kysely
  const graph = await needs.pipelines.getGraph(db, run.pipeline_version_id)
  const steps = await loadSteps(db, [run.id])
  const tasks = await loadTasks(db, [run.id])
  const attempts = await listAttempts(db, run.id)
  const withheld = run.status === 'queued' ? await explain(db, run) : undefined
  const waits =
    (run.status === 'queued' && withheld === undefined) || attempts.some((attempt) => attempt.status === 'waiting')
  return {
    run,
    graph,
    steps: new Map(steps.map((row) => [row.step, row])),
    tasks: new Map(tasks.map((row) => [`${row.step}/${row.task}`, row])),
    attempts: Map.groupBy(attempts, (attempt) => `${attempt.step}/${attempt.task}`),
    judgement: waits ? await judge(needs, db, run) : undefined,
    withheld,
    approvals: await listApprovals(db, run.id),
    requests: await needs.readRequests(db, run.id),
  }
}

async function explain(db: Queryable, run: DetailRow): Promise<string | undefined> {
  const { id, team_path, withheld, pull_request: pullRequest, concurrency_group: group } = run
  const waits = withheld === 'group' && group !== null
  const before = waits ? await findRunBefore(db, { id, team_path, concurrency_group: group }) : undefined
  return explainWithheld({ withheld, pullRequest, group, before })
}

/** Worked out when it is asked for: what keeps a run waiting changes with every runner that comes and goes. */
async function judge(needs: DescribeNeeds, db: Queryable, run: DetailRow): Promise<Judgement> {
  const leased = await countLeased(db)
  const runners = await needs.runners.list(db)
  const states = runners.map((runner) => needs.runners.stateOf(runner, leased.get(runner.id) ?? 0))
  return needs.runners.judge({ scope: run.scope, requirement: readRequirement(run.requirement) }, states)
}
