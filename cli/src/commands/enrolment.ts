import type { RunnerEnrollment } from '@signalbox/contracts/runners'
import { runnerRoutes } from '@signalbox/contracts/runners/routes'
import type { Command } from 'commander'
import { ago, until } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { listCommand } from './listing.ts'
import { collectList, readMoment } from './parse-arguments.ts'
import { deleteOf, showOf } from './resource.ts'

const enrolments = {
  noun: 'enrolment',
  named: 'id, as `enrolment list` shows it',
  get: runnerRoutes.getRunnerEnrollment,
  delete: runnerRoutes.deleteRunnerEnrollment,
}

export function enrolmentCommand(context: Context): Command {
  return group('enrolment', 'enrolments: one-time tokens for runners; `runner enrol` creates one', [
    listCommand(context, {
      description: 'list the enrolments that you may see; tokens are never shown',
      operation: runnerRoutes.listRunnerEnrollments,
      columns: [
        ['id', ({ id }) => id],
        ['team', ({ team_path }) => team_path],
        ['scopes', ({ scopes }) => scopes.join(',')],
        ['labels', ({ labels }) => labels.join(',')],
        ['state', stateOf],
        ['created', ({ created_at }, now) => ago(created_at, now)],
        ['by', ({ created_by }) => created_by],
      ],
    }),
    showOf(context, enrolments, 'show an enrolment', (found, now) => [
      ['enrolment', found.id],
      ['team', found.team_path],
      ['scopes', found.scopes.join(', ')],
      ['labels', found.labels.join(', ')],
      ['state', stateOf(found, now)],
      ['created', `${ago(found.created_at, now)} by ${found.created_by}`],
    ]),
    deleteOf(context, enrolments, 'delete an enrolment: its token can enrol no runner afterwards'),
  ])
}

function stateOf({ used_at: usedAt, expires_at: expiresAt }: RunnerEnrollment, now: number): string {
  if (usedAt !== null) return `used ${ago(usedAt, now)}`
  const left = until(expiresAt, now)
  return left === 'over' ? 'expired' : `open, ends ${left}`
}

interface EnrolOptions extends ApiOptions {
  readonly scope?: readonly string[]
  readonly label?: readonly string[]
  readonly expires?: string
}

export function enrolCommand(context: Context): Command {
  return apiCommand('enrol', 'create a one-time token that enrols one runner, and print it once')
    .argument('<team>', 'path of the team whose scopes the runner may serve; / is the platform, which means all')
    .option('--scope <patterns>', 'scopes that the runner serves (default: all of the team)', collectList)
    .option('--label <labels>', 'labels of the runner', collectList)
    .option('--expires <time>', 'when the token ends (default: in 24 hours; at most 30 days)', readMoment)
    .action(async (team: string, options: EnrolOptions) => {
      const scopes = options.scope ?? [team === '/' ? '**' : `${team}/**`]
      const body = { team_path: team, scopes, labels: options.label, expires_at: options.expires }
      const made = await context.connect(options).call(runnerRoutes.createRunnerEnrollment, { body })
      if (options.json) return context.printJson(made)
      // The token alone, so that `signalbox runner enrol acme > token` holds nothing else.
      context.printLine(made.token)
      return context.printNote(`Good for one runner: signalbox runner --url ${made.runner_url} --token-file <file>`)
    })
}
