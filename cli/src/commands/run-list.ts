import type { RunQuery, RunSummary } from '@signalbox/contracts/runs'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { type Command, Option } from 'commander'
import { ago, between } from '../output/durations.ts'
import { toneOf } from '../output/style.ts'
import type { Context } from './context.ts'
import { listCommand, type TeamListOptions, teamOption } from './listing.ts'
import { readPast, readVersion } from './parse-arguments.ts'

const STATUSES = [
  ...(['queued', 'running', 'paused'] as const),
  ...(['success', 'failure', 'warning', 'timed_out', 'canceled'] as const),
] satisfies readonly RunSummary['status'][]

const CAUSES = [
  'event',
  'request',
  'rerun',
  'schedule',
  'external',
  'pipeline',
] as const satisfies readonly NonNullable<RunQuery['cause']>[]

interface RunListOptions extends TeamListOptions {
  readonly branch?: string
  readonly pipeline?: string
  readonly status?: RunSummary['status'][]
  readonly cause?: RunQuery['cause']
  readonly initiator?: string
  readonly pullRequest?: number
  readonly trigger?: string
  readonly schedule?: string
  readonly externalTrigger?: string
  readonly commit?: string
  readonly scope?: string
  readonly repository?: string
  readonly since?: string
  readonly until?: string
}

export function runListCommand(context: Context): Command {
  return listCommand(context, {
    description: 'list runs, newest first; a run must match all given options',
    operation: runRoutes.listRuns,
    limit: 20,
    options: [
      teamOption('of this team, by id or path'),
      new Option('-b, --branch <branch>', 'of this branch'),
      new Option('-p, --pipeline <pipeline>', 'of this pipeline, by id or identifier'),
      new Option('--status <status...>', 'with this status, or one of several').choices(STATUSES),
      new Option('--cause <cause>', 'that run for this reason').choices(CAUSES),
      new Option('--initiator <id>', 'on behalf of this user or service account, by id'),
      new Option('--commit <sha>', 'of this commit; its first 4 characters are enough'),
      new Option('--scope <scope>', 'in this scope, such as acme/web/production'),
      new Option('--repository <name>', 'of this repository, such as acme/shop'),
      new Option('--pull-request <number>', 'of the pull request of this number').argParser(readVersion),
      new Option('--trigger <id>', 'that this trigger started'),
      new Option('--schedule <id>', 'that this schedule started'),
      new Option('--external-trigger <id>', 'that this external trigger started'),
      new Option(
        '--since <time>',
        'queued since this time, such as 2027-01-01T00:00:00Z; 2h means two hours ago',
      ).argParser(readPast),
      new Option('--until <time>', 'queued before this time, in the same form').argParser(readPast),
    ],
    query: ({ team, commit, pullRequest, externalTrigger, ...options }: RunListOptions) => ({
      teamId: team,
      commit: commit?.toLowerCase(),
      pull_request: pullRequest,
      external_trigger: externalTrigger,
      branch: options.branch,
      pipeline: options.pipeline,
      status: options.status,
      cause: options.cause,
      initiator: options.initiator,
      scope: options.scope,
      repository: options.repository,
      trigger: options.trigger,
      schedule: options.schedule,
      since: options.since,
      until: options.until,
    }),
    columns: [
      ['run', (run) => run.run_id],
      ['pipeline', (run) => run.pipeline],
      ['status', (run) => ({ text: run.status, tone: toneOf(run.status) })],
      ['branch', describeRef],
      ['commit', (run) => run.commit_sha?.slice(0, 10) ?? ''],
      ['took', (run, now) => between(run.started_at, run.finished_at, now)],
      ['queued', (run, now) => ago(run.queued_at, now)],
      ['pull request', pullRequestOf],
    ],
  })
}

/** Of a pull request both of its branches. */
export function describeRef(run: RunSummary): string {
  if (run.head_ref !== null) return `${run.head_ref} to ${run.base_ref ?? '?'}`
  return run.tag === null ? (run.branch ?? '') : `tag ${run.tag}`
}

function pullRequestOf({ pull_request: number, hold }: RunSummary): string {
  if (number === null) return ''
  return hold === null ? `#${number}` : `#${number}, waits for approval`
}
