import type { CreateToken } from '@signalbox/contracts/access'
import { tokenRoutes } from '@signalbox/contracts/access/routes'
import type { Command } from 'commander'
import { ApiProblem } from '../client/problem.ts'
import { CommandFailed } from '../errors.ts'
import { ago } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { listCommand } from './listing.ts'
import { collectList, readMoment } from './parse-arguments.ts'
import { idOf } from './resource.ts'
import { serviceAccounts } from './service-account.ts'
import { describeLimits } from './token-limits.ts'
import { users } from './user.ts'

export function tokenCommand(context: Context): Command {
  return group('token', 'tokens for the API', [createCommand(context), listOf(context), revokeCommand(context)])
}

interface CreateOptions extends ApiOptions {
  readonly serviceAccount?: string
  readonly user?: string
  readonly permission?: NonNullable<CreateToken['permissions']>
  readonly team?: string
  readonly readOnly?: true
  readonly family?: NonNullable<CreateToken['families']>
  readonly expires?: string
}

function createCommand(context: Context): Command {
  return apiCommand('create', 'create a token, and print it once')
    .argument('<name>', 'name of the token, such as its purpose')
    .option('--service-account <account>', 'service account of the token: <team path>/<name> or id (default: you)')
    .option('--user <user>', 'user of the token: login or id (default: you)')
    .option(
      '--permission <name>',
      'limit it to this permission, such as run.read; repeatable, with commas',
      collectList,
    )
    .option('--team <path>', 'limit it to this team and the teams below it')
    .option('--read-only', 'limit it to reading')
    .option('--family <name>', 'limit it to this family, such as runs or logs; repeatable, with commas', collectList)
    .option('--expires <time>', 'when the token ends, such as 2027-01-01T00:00:00Z', readMoment)
    .action(async (name: string, options: CreateOptions) => {
      const client = context.connect(options)
      const { serviceAccount, user, permission, team, readOnly, family, expires } = options
      const body = {
        name,
        service_account_id: serviceAccount && (await idOf(client, serviceAccounts, serviceAccount)),
        user_id: user && (await idOf(client, users, user)),
        permissions: permission,
        team_path: team,
        read_only: readOnly,
        families: family,
        expires_at: expires,
      }
      const made = await client.call(tokenRoutes.createToken, { body }).catch((error: unknown) => {
        const nobody = error instanceof ApiProblem && error.errors.some(({ field }) => field === 'user_id')
        if (!nobody || options.user !== undefined || options.json) throw error
        throw new CommandFailed(
          'usage',
          error.message,
          '`signalbox service-account create <team>/<name>` makes an account together with its token.',
        )
      })
      if (options.json) return context.printJson(made)
      // The token alone, so that `signalbox token create ci > file` holds nothing else.
      context.printLine(made.token)
      return context.printNote('The token is never shown again.')
    })
}

function listOf(context: Context): Command {
  return listCommand(context, {
    description: 'list tokens; their values are never shown',
    operation: tokenRoutes.listTokens,
    columns: [
      ['id', ({ id }) => id],
      ['name', ({ name }) => name],
      ['of', ({ owner }) => owner ?? ''],
      ['limited to', (token) => describeLimits(token)],
      ['expires', ({ expires_at }) => expires_at ?? 'never'],
      ['last used', ({ last_used_at }, now) => ago(last_used_at, now) || 'never'],
      ['ends in', ({ last_four }) => last_four],
    ],
  })
}

function revokeCommand(context: Context): Command {
  return apiCommand('revoke', 'revoke a token at once')
    .argument('<id>', 'as `token list` shows it')
    .action(async (id: string, options: ApiOptions) => {
      await context.connect(options).call(tokenRoutes.revokeToken, { params: { id } })
      context.printNote(`Token ${id} is revoked.`)
    })
}
