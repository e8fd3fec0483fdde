import type { Graph } from '@signalbox/pipeline/graph'
import type { Json, RunState } from '@signalbox/pipeline/status'
import { isUnavailable, type Queryable, type Tx } from '#platform/database'
import type { Means } from '../means.ts'
import { factsOfRow } from '../rules/run-facts.ts'
import type { ParentAttempt, Repetition, RunInFlight } from '../rules/run-in-flight.ts'
import { restoreState } from '../rules/run-state.ts'
import { openOutputs, openVariables } from '../rules/sealed-outputs.ts'
import type { StepRow, TaskRow } from '../rules/stored-rows.ts'
import type { ClaimWish } from '../store/claims.ts'
import { loadRuns, loadSteps, loadTasks } from '../store/load-runs.ts'
import type { RunRow } from '../store/run-columns.ts'
import { claimTurns } from './claim-turns.ts'
import { readEvents } from './keep-events.ts'

export interface ClaimedRun {
  readonly run: RunInFlight
  /** Why it can never be started. */
  readonly broken: string | undefined
}

export interface ClaimedRuns {
  /** In the order in which they begin. */
  readonly runs: readonly ClaimedRun[]
  /** Lanes in which more may be queued. */
  readonly fullLanes: ReadonlySet<string>
}

/** Runs as they stand, with the engine's state rebuilt from their rows. Unknown ids are left out. */
export async function loadInFlight(means: Means, db: Queryable, ids: readonly string[]): Promise<RunInFlight[]> {
  if (ids.length === 0) return []
  const rows = await loadRuns(db, ids)
  const steps = Map.groupBy(await loadSteps(db, ids), (row) => row.run_id)
  const tasks = Map.groupBy(await loadTasks(db, ids), (row) => row.run_id)
  const events = await readEvents(means.eventTexts, db, rows)
  const runs: RunInFlight[] = []
  for (const [at, row] of rows.entries()) {
    const graph = await getGraph(means, db, row)
    const state = restore(means, graph, row, { steps: steps.get(row.id) ?? [], tasks: tasks.get(row.id) ?? [] })
    runs.push(runInFlight(row, { event: events[at] ?? null, graph, state, secretVariables: openSecrets(means, row) }))
  }
  return runs
}

/**
 * Locks the next queued runs of the wish until the transaction ends. Answers them in the order of their turns.
 * `notice` hears of each run before it is read: where reading throws, the last one told may be the cause.
 */
export async function claimQueuedRuns(
  means: Means,
  tx: Tx,
  wish: ClaimWish,
  notice: (runId: string) => void,
): Promise<ClaimedRuns> {
  const claimed: ClaimedRun[] = []
  const { rows, fullLanes } = await claimTurns(tx, wish)
  for (const row of rows) notice(row.id)
  const events = await readEvents(means.eventTexts, tx, rows)
  for (const [at, row] of rows.entries()) {
    const event = events[at] ?? null
    try {
      const graph = await getGraph(means, tx, row)
      const parts = { event, graph, state: undefined, secretVariables: openSecrets(means, row) }
      claimed.push({ run: runInFlight(row, parts), broken: undefined })
    } catch (error) {
      if (isUnavailable(error)) throw error
      // One unreadable run must not stand in the way of those behind it.
      const what = error instanceof Error ? error.message : 'unknown error'
      claimed.push({
        run: runInFlight(row, { event, graph: NO_GRAPH, state: undefined, secretVariables: {} }),
        broken: `The pipeline cannot be read: ${what}`,
      })
    }
  }
  return { runs: claimed, fullLanes }
}

/**
 * A run as it was queued: without its state, its event and its secrets, which rules do not read. Where the graph of its
 * pipeline cannot be read, it is empty.
 */
export async function readFacts(
  means: Means,
  db: Queryable,
  row: RunRow,
): Promise<{ readonly run: RunInFlight; readonly isWhole: boolean }> {
  const read = (graph: Graph): RunInFlight =>
    runInFlight(row, { event: null, graph, state: undefined, secretVariables: {} })
  try {
    return { run: read(await getGraph(means, db, row)), isWhole: true }
  } catch (error) {
    if (isUnavailable(error)) throw error
    return { run: read(NO_GRAPH), isWhole: false }
  }
}

const NO_GRAPH: Graph = {
  format: 2,
  timeoutMs: null,
  queueTimeoutMs: null,
  priority: 0,
  concurrency: null,
  finalOutputs: [],
  profile: null,
  variables: {},
  secrets: {},
  steps: [],
}

function openSecrets(means: Means, row: RunRow): Readonly<Record<string, string>> {
  return openVariables(means.sealer, row.id, row.sealed_variables)
}

async function getGraph(means: Means, db: Queryable, row: RunRow): Promise<Graph> {
  const graph = await means.pipelines.getGraph(db, row.pipeline_version_id)
  if (!graph) throw new RangeError(`version ${row.pipeline_version_id} is not there`)
  return graph
}

function restore(
  means: Means,
  graph: Graph,
  row: RunRow,
  { steps, tasks }: { readonly steps: readonly StepRow[]; readonly tasks: readonly TaskRow[] },
): RunState | undefined {
  // A run that never began has no rows.
  if (steps.length === 0) return undefined
  return restoreState(
    graph,
    { status: row.status, reason: row.reason, ending: row.ending, lostAttempts: row.lost_attempts },
    steps.map((step) => ({ ...step, timedOut: step.timed_out })),
    tasks.map((task) => ({
      ...task,
      exitCode: task.exit_code,
      lossesBefore: task.losses_before,
      handedBack: task.handed_back,
      outputs: openOutputs(means.sealer, row.id, `${task.step}/${task.task}`, task.outputs),
    })),
  )
}

interface RunParts {
  readonly event: Json
  readonly graph: Graph
  readonly state: RunState | undefined
  readonly secretVariables: Readonly<Record<string, string>>
}

function runInFlight(row: RunRow, { event, graph, state, secretVariables }: RunParts): RunInFlight {
  return {
    id: row.id,
    teamPath: row.team_path,
    pipelineId: row.pipeline_id,
    pipelineIdentifier: row.pipeline_identifier,
    pipelineVersionId: row.pipeline_version_id,
    scope: row.scope,
    requirement: row.requirement,
    lane: row.lane,
    priority: row.priority,
    profileEnvironment: row.profile_environment,
    image: row.image,
    resources: row.resources,
    profiles: row.profiles,
    cause: row.cause,
    initiator: { kind: row.initiator_kind, id: row.initiator_id, name: row.initiator_name },
    context: { run: factsOfRow(row), event, variables: row.variables },
    secretVariables,
    repository: row.repository,
    branch: row.branch,
    runTeamPath: row.run_team_path,
    pullRequest: row.pull_request,
    commitSha: row.commit_sha,
    checkout:
      row.clone_url === null
        ? null
        : {
            cloneUrl: row.clone_url,
            ref: row.ref ?? '',
            commitSha: row.commit_sha ?? '',
            credentialRef: row.checkout_credential_ref,
          },
    cancelReason: row.cancel_requested_at === null ? null : (row.cancel_reason ?? 'canceled'),
    untrusted: row.untrusted,
    inGroup: row.concurrency_group !== null,
    parent: readParent(row),
    depth: row.depth,
    repetition: readRepetition(row),
    queuedAt: row.queued_at,
    startedAt: row.started_at,
    deadlineAt: row.deadline_at,
    pausedAt: row.paused_at,
    revision: row.revision,
    graph,
    state,
  }
}

function readParent(row: RunRow): ParentAttempt | null {
  const { parent_run_id: runId, parent_step: step, parent_task: task, parent_attempt: attempt } = row
  return runId === null || step === null || task === null || attempt === null ? null : { runId, step, task, attempt }
}

function readRepetition({ rerun_of, rerun_mode, rerun_step }: RunRow): Repetition | null {
  return rerun_of === null || rerun_mode === null ? null : { of: rerun_of, mode: rerun_mode, step: rerun_step }
}
