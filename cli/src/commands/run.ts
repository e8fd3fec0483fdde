import type { ApprovalRequest, RunApproval, RunDetail, RunTask } from '@signalbox/contracts/runs'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import type { Command } from 'commander'
import { exitCodeOfRun } from '../exit-codes.ts'
import { ago, between, formatDuration } from '../output/durations.ts'
import { escapeText } from '../output/escape.ts'
import { toneOf } from '../output/style.ts'
import { watchRun } from '../runs/watch.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { type DryRunOptions, dryRunQuery, isDryRun, printDryRun, withDryRun } from './dry-run.ts'
import { approveCommand, countGiven, rejectCommand } from './run-approval.ts'
import { runCommandsCommand } from './run-commands.ts'
import { showFailures } from './run-failures.ts'
import { describeRef, runListCommand } from './run-list.ts'
import { logsCommand, scrubCommand } from './run-logs.ts'
import { reportsCommand } from './run-reports.ts'
import { rerunCommand } from './run-rerun.ts'
import { compareCommand, lastSuccessCommand, outputsCommand, taskOutputsCommand } from './run-results.ts'

export function runCommand(context: Context): Command {
  return group('run', 'show runs and control them', [
    runListCommand(context),
    showCommand(context),
    logsCommand(context),
    watchCommand(context),
    cancelCommand(context),
    approveCommand(context),
    rejectCommand(context),
    rerunCommand(context),
    compareCommand(context),
    lastSuccessCommand(context),
    reportsCommand(context),
    runCommandsCommand(context),
    outputsCommand(context),
    taskOutputsCommand(context),
    statusCommand(context),
    scrubCommand(context),
  ])
}

function showCommand(context: Context): Command {
  return apiCommand(
    'show',
    'show a run with its steps and tasks; for failed tasks also the runner and the last log lines',
  )
    .argument('<run>', 'id of the run')
    .action(async (id: string, options: ApiOptions) => {
      const client = context.connect(options)
      const run = await client.call(runRoutes.getRun, { params: { id } })
      if (options.json) return context.printJson(run)
      showRun(context, run)
      return showFailures(context, client, run)
    })
}

function showRun(context: Context, run: RunDetail): void {
  const now = Date.now()
  context.printFields([
    ['run', run.run_id],
    ['pipeline', run.pipeline],
    ['status', { text: run.status, tone: toneOf(run.status) }],
    ['reason', run.reason ?? undefined],
    ['waits for', run.queue_reason ?? undefined],
    ['place', describePlace(run)],
    ['note', run.note ?? undefined],
    ['cause', `${run.cause}, by ${run.initiator.name}`],
    ['scope', run.scope],
    ['repository', run.repository ?? undefined],
    ['branch', describeRef(run) || undefined],
    ['commit', run.commit_sha ?? undefined],
    ['pull request', run.pull_request === null ? undefined : `#${run.pull_request}`],
    ['secrets', run.untrusted ? 'none: its code is not trusted' : undefined],
    ['group', run.concurrency === null ? undefined : `${run.concurrency.group} (${run.concurrency.on_conflict})`],
    ['priority', run.priority ? String(run.priority) : undefined],
    ['task of', run.parent_run_id ?? undefined],
    ['rerun of', run.rerun_of ?? undefined],
    ['replay of', run.replay_of ?? undefined],
    ...run.approvals.map((approval) => [approval.name, describeApproval(approval)] as const),
    ...run.approval_requests
      .filter((request) => request.status === 'waiting')
      .map((request) => [request.step, describeWaiting(request)] as const),
    ['queued', ago(run.queued_at, now)],
    ['took', between(run.started_at, run.finished_at, now)],
  ])
  if (run.steps.length === 0) return
  context.printLine('')
  const rows = run.steps.flatMap((step) => [
    [
      { text: step.name, tone: 'strong' as const },
      { text: step.status, tone: toneOf(step.status) },
      between(step.started_at, step.finished_at, now),
      step.reason ?? '',
    ],
    ...step.tasks.map((task) => [
      context.surroundings.out.isTerminal ? `  ${task.name}` : `${step.name}/${task.name}`,
      { text: task.status, tone: toneOf(task.status) },
      between(task.started_at, task.finished_at, now),
      describeTask(task),
    ]),
  ])
  context.printTable(['step / task', 'status', 'took', 'reason'], rows)
  const images = imageRows(run)
  if (images.length === 0) return
  context.printLine('')
  context.printTable(['step / task', 'image', 'digest'], images)
}

/** The images of the containers of the latest attempts; services by their names. */
function imageRows(run: RunDetail): string[][] {
  return run.steps.flatMap((step) =>
    step.tasks.flatMap((task) =>
      (task.attempts.at(-1)?.images ?? []).map(({ service, image, digest }) => [
        `${step.name}/${task.name}${service === null ? '' : ` ${service}`}`,
        image,
        digest,
      ]),
    ),
  )
}

function describePlace(run: RunDetail): string | undefined {
  const { queue_position: place, queue_position_over: over, queue_estimate_seconds: seconds } = run
  if (over !== null) return `behind more than ${over} in its queue`
  if (place === null) return undefined
  return seconds === null
    ? `${place} in its queue`
    : `${place} in its queue, for about ${formatDuration(seconds * 1000)}`
}

/** Of a task that runs a pipeline, the run that was made for it last, too. */
function describeTask({ reason, waiting_reason: waits, attempts }: RunTask): string {
  const child = attempts.findLast((attempt) => attempt.child_run_id !== null)?.child_run_id
  const why = reason ?? waits ?? ''
  if (!child || why.includes(child)) return why
  return why === '' ? `run ${child}` : `run ${child}: ${why}`
}

function describeApproval({ decision, by, comment, decided_at }: RunApproval): string {
  const done = `${decision === 'approve' ? 'approved' : 'rejected'} by ${by.name} ${ago(decided_at, Date.now())}`
  return comment === null ? done : `${done}: ${comment}`
}

/** The approvers, the number of approvals, the obstacle, and the approvals that count no longer. */
function describeWaiting(request: ApprovalRequest): string {
  const { approvers, required, obstacle, decisions } = request
  const given = `waits for ${approvers.join(', ')}: ${countGiven(request)} of ${required} approved`
  return [given, obstacle, ...decisions.map(({ lapsed }) => lapsed)].filter((part) => part !== null).join('; ')
}

function watchCommand(context: Context): Command {
  return apiCommand('watch', 'follow a run live: steps, tasks and log lines; exit with its result')
    .argument('<run>', 'id of the run')
    .option('--fail-on-warning', 'exit 13 when the run ends in warning')
    .action(async (id: string, options: ApiOptions & { failOnWarning?: boolean }) => {
      const run = await watchRun(context, context.connect(options), id, { json: options.json })
      context.finish(exitCodeOfRun(run.status, options.failOnWarning))
    })
}

/** For scripts: one word. */
function statusCommand(context: Context): Command {
  return apiCommand('status', 'print only the status, in one word')
    .argument('<run>', 'id of the run')
    .action(async (id: string, options: ApiOptions) => {
      const answer = await context.connect(options).call(runRoutes.getRunStatus, { params: { id } })
      if (options.json) return context.printJson(answer)
      return context.printLine(escapeText(answer.status))
    })
}

function cancelCommand(context: Context): Command {
  return withDryRun(apiCommand('cancel', 'cancel a run'))
    .argument('<run>', 'id of the run')
    .action(async (id: string, options: DryRunOptions) => {
      const request = { params: { id }, query: dryRunQuery(options) }
      const answer = await context.connect(options).call(runRoutes.cancelRun, request)
      if (isDryRun(answer)) return printDryRun(context, answer, options)
      if (options.json) return context.printJson(answer)
      return context.printNote(`Run ${id} is ${answer.status === 'canceled' ? 'canceled' : 'being canceled'}.`)
    })
}
