import type { RunSummary } from '@signalbox/contracts/runs'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { type Command, Option } from 'commander'
import { ago, between } from '../output/durations.ts'
import { toneOf } from '../output/style.ts'
import type { Context } from './context.ts'
import { listCommand, type TeamListOptions, teamOption } from './listing.ts'
import { readPast } from './parse-arguments.ts'

const STATUSES = [
  ...(['queued', 'running', 'paused'] as const),
  ...(['success', 'failure', 'warning', 'timed_out', 'canceled'] as const),
] satisfies readonly RunSummary['status'][]

interface RunListOptions extends TeamListOptions {
  readonly branch?: string
  readonly pipeline?: string
  readonly status?: string
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
      new Option('--status <status>', 'with this status').choices(STATUSES),
      new Option('--commit <sha>', 'of this commit; its first 4 characters are enough'),
      new Option('--scope <scope>', 'in this scope, such as acme/web/production'),
      new Option('--repository <name>', 'of this repository, such as acme/shop'),
      new Option(
        '--since <time>',
        'queued since this time, such as 2027-01-01T00:00:00Z; 2h means two hours ago',
      ).argParser(readPast),
      new Option('--until <time>', 'queued before this time, in the same form').argParser(readPast),
    ],
    query: ({ team, branch, pipeline, status, commit, scope, repository, since, until }: RunListOptions) => ({
      teamId: team,
      branch,
      pipeline,
      status,
      commit: commit?.toLowerCase(),
      scope,
      repository,
      since,
      until,
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
