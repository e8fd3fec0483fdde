import type { RunnerEnrollment } from '@signalbox/contracts/runners'
import { runnerRoutes } from '@signalbox/contracts/runners/routes'
import type { Command } from 'commander'
import { ago, until } from '../output/durations.ts'
import {
  type ApiOptions,
  apiCommand,
  type Context,
  clientOf,
  group,
  printJson,
  printLine,
  printNote,
} from './context.ts'
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
  return group('enrolment', 'enrolments: one-time tokens for runners; `runner enrol` makes one', [
    listCommand(context, {
      description: 'the enrolments that you may see, without their tokens',
      operation: runnerRoutes.listRunnerEnrollments,
      columns: [
        ['id', ({ id }) => id],
        ['team', ({ team_path }) => team_path],
        ['scopes', ({ scopes }) => scopes.join(',')],
        ['labels', ({ labels }) => labels.join(',')],
        ['state', stateOf],
        ['made', ({ created_at }, now) => ago(created_at, now)],
        ['by', ({ created_by }) => created_by],
      ],
    }),
    showOf(context, enrolments, 'one enrolment', (found, now) => [
      ['enrolment', found.id],
      ['team', found.team_path],
      ['scopes', found.scopes.join(', ')],
      ['labels', found.labels.join(', ')],
      ['state', stateOf(found, now)],
      ['made', `${ago(found.created_at, now)} by ${found.created_by}`],
    ]),
    deleteOf(context, enrolments, 'end an enrolment: its token enrols nobody any more'),
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
  return apiCommand('enrol', 'make a one-time token that brings one runner in; prints it once')
    .argument('<team>', 'path of the team whose scopes it may serve; / is the platform: all of them')
    .option('--scope <patterns>', 'which scopes it serves (default: all of the team)', collectList)
    .option('--label <labels>', 'labels that you give it', collectList)
    .option('--expires <time>', 'when the token ends (default: in 24 hours; at most 30 days)', readMoment)
    .action(async (team: string, options: EnrolOptions) => {
      const scopes = options.scope ?? [team === '/' ? '**' : `${team}/**`]
      const body = { team_path: team, scopes, labels: options.label, expires_at: options.expires }
      const made = await clientOf(context, options).call(runnerRoutes.createRunnerEnrollment, { body })
      if (options.json) return printJson(context, made)
      // The token alone, so that `signalbox runner enrol acme > token` holds nothing else.
      printLine(context, made.token)
      return printNote(context, 'Good for one runner: signalbox runner --url <host:port> --token-file <file>')
    })
}
