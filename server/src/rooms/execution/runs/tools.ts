import { STRICT, Uuid } from '@signalbox/contracts/http'
import { type RunDetail, RunQuery, type RunTask } from '@signalbox/contracts/runs'
import { resultRoutes, runRoutes } from '@signalbox/contracts/runs/routes'
import { Type } from 'typebox'
import { defineTool, linesOf, type NextCall, ownText, type Told, type Tool } from '#platform/tools'

const { teamId: team, pipeline, branch, commit, repository, pull_request, scope, cursor } = RunQuery.properties
const { status, since } = RunQuery.properties

const WAIT_SECONDS = 45
/** Tasks that are shown one by one; the others are counted. */
const MOST_TASKS = 20
const UNTOLD = new Set(['success', 'pending', 'skipped'])

const listTool = defineTool({
  name: 'list_runs',
  title: 'List runs',
  family: 'runs',
  does: 'read',
  description:
    'Runs that match all filters, newest first. explain_run tells why one waits, explain_failure why it failed.',
  input: Type.Object(
    {
      team,
      pipeline,
      status,
      branch,
      commit,
      repository,
      pull_request,
      scope,
      since,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
      cursor,
    },
    STRICT,
  ),
  routes: { listRuns: runRoutes.listRuns },
  async handle({ input, routes }) {
    const { team: teamId, ...filters } = input
    const { body, nextCursor } = await routes.listRuns({ query: { limit: 10, ...filters, teamId } })
    const runs = body.map((run) => ({
      run_id: run.run_id,
      pipeline: run.pipeline,
      scope: run.scope,
      status: run.status,
      cause: run.cause,
      branch: run.branch,
      commit_sha: run.commit_sha,
      pull_request: run.pull_request,
      reason: run.reason,
      queued_at: run.queued_at,
      finished_at: run.finished_at,
    }))
    const more = { tool: 'list_runs', arguments: { ...input, cursor: nextCursor }, brings: 'older runs' }
    return { facts: { runs }, next: nextCursor === undefined ? [] : [more] }
  },
})

const getTool = defineTool({
  name: 'get_run',
  title: 'Show a run',
  family: 'runs',
  does: 'read',
  description:
    'Where a run stands: its cause, commit, variables, and the tasks that run, wait or failed; the others are counted.',
  input: Type.Object({ run_id: Uuid }, STRICT),
  routes: { getRun: runRoutes.getRun },
  async handle({ input, routes }) {
    const { body } = await routes.getRun({ params: { id: input.run_id } })
    const tasks = body.steps.flatMap((step) => step.tasks.map((task) => ({ step: step.name, task })))
    const told = tasks.filter(({ task }) => !UNTOLD.has(ownText(task.status)))
    return {
      facts: {
        ...headOf(body),
        tasks: told.slice(0, MOST_TASKS).map(({ step, task }) => ({ step, ...taskOf(task) })),
        tasks_left_out: Math.max(0, told.length - MOST_TASKS) || null,
        tasks_by_status: countBy(tasks.map(({ task }) => ownText(task.status))),
      },
      next: nextOf(input.run_id, body.finished_at !== null),
    }
  },
})

const waitTool = defineTool({
  name: 'wait_for_run',
  title: 'Wait for a run',
  family: 'runs',
  does: 'read',
  description:
    'Waits at most 45 seconds for a run to end, or to leave the status that you give as unless. Call it again while the run has not finished.',
  input: Type.Object(
    {
      run_id: Uuid,
      unless: Type.Optional(Type.Enum(['queued', 'running', 'paused'])),
      seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: WAIT_SECONDS, default: WAIT_SECONDS })),
    },
    STRICT,
  ),
  routes: { getRunStatus: runRoutes.getRunStatus },
  async handle({ input, routes }) {
    const { run_id: id, unless, seconds = WAIT_SECONDS } = input
    const { body } = await routes.getRunStatus({ params: { id }, query: { wait_seconds: seconds, unless } })
    const again = {
      tool: 'wait_for_run',
      arguments: { run_id: id, seconds },
      brings: 'the end of the run, or a later look',
    }
    const isOver = body.finished_at !== null
    return { facts: body, next: [...(isOver ? [] : [again]), ...nextOf(id, isOver)] }
  },
})

const compareTool = defineTool({
  name: 'compare_with_success',
  title: 'What changed since green',
  family: 'runs',
  does: 'read',
  description:
    'What is different about a run since the last success of its pipeline: commit, document, variables, scope, policies, runners, images, times.',
  input: Type.Object({ run_id: Uuid, with: Type.Optional(Uuid) }, STRICT),
  routes: { explainChanges: resultRoutes.explainChanges },
  async handle({ input, routes }) {
    const { body } = await routes.explainChanges({ query: input })
    const { document_diff: diff, ...facts } = body
    const lines = diff === null ? [] : linesOf(diff).map((text, index) => ({ label: String(index + 1), text }))
    return {
      facts,
      quotes: lines.length === 0 ? [] : [{ source: 'difference of the documents', lines }],
      next: [
        { tool: 'explain_failure', arguments: { run_id: input.run_id }, brings: 'what failed first, and its lines' },
      ],
    }
  },
})

/** Without the graph, and without what is told of each task. */
function headOf(run: Told<RunDetail>) {
  const { steps: _, pins, approval_requests: requests, queue_blockers: _blockers, approvals: _approvals, ...head } = run
  const waiting = requests
    .filter((request) => request.decided_at === null)
    .map(({ step, required, approvers, refusal, deadline_at }) => ({ step, required, approvers, refusal, deadline_at }))
  return { ...head, waits_for_people: waiting, pins: pins.length }
}

function taskOf(task: Told<RunTask>) {
  const { name, status: state, reason, waiting_reason, attempt, exit_code, retry_at, started_at, finished_at } = task
  const child = task.attempts.at(-1)?.child_run_id ?? null
  return {
    task: name,
    status: state,
    reason,
    waiting_reason,
    attempt,
    exit_code,
    retry_at,
    started_at,
    finished_at,
    child_run_id: child,
  }
}

function countBy(words: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]))
}

function nextOf(runId: string, isOver: boolean): NextCall[] {
  const call = { arguments: { run_id: runId } }
  return isOver
    ? [{ tool: 'explain_failure', ...call, brings: 'what failed first, where something failed' }]
    : [{ tool: 'explain_run', ...call, brings: 'what it waits for, and what to do' }]
}

export const runTools: readonly Tool[] = [listTool, getTool, waitTool, compareTool]
