import type { Command } from 'commander'
import { enrollment } from '../client/answers.ts'
import { enrolment } from '../client/runner-answers.ts'
import { anything } from '../client/shape.ts'
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
import { collectList, readMoment } from './parse-arguments.ts'
import { deleteOf, listOf, type Resource, showOf } from './resource.ts'

type Enrolment = ReturnType<typeof enrolment>

const enrolments: Resource<Enrolment> = {
  noun: 'enrolment',
  path: '/v1/runners/enrollments',
  item: enrolment,
  named: 'id, as `enrolment list` shows it',
  nameOf: ({ id }) => id,
  addressedByName: true,
}

export function enrolmentCommand(context: Context): Command {
  return group('enrolment', 'enrolments: one-time tokens for runners; `runner enrol` makes one', [
    listOf(context, enrolments, {
      description: 'the enrolments that you may see, without their tokens',
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

function stateOf({ used_at: usedAt, expires_at: expiresAt }: Enrolment, now: number): string {
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
      const answer = await clientOf(context, options).post('/v1/runners/enrollments', anything, { body })
      if (options.json) return printJson(context, answer)
      // The token alone, so that `signalbox runner enrol acme > token` holds nothing else.
      printLine(context, enrollment(answer, 'enrolment').token)
      return printNote(context, 'Good for one runner: signalbox runner --url <host:port> --token-file <file>')
    })
}
