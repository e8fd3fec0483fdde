import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import type { Command } from 'commander'
import { CommandFailed } from '../errors.ts'
import { ago } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { type ListOptions, printList, withLimit } from './listing.ts'
import { idOf } from './resource.ts'
import { users } from './user.ts'

export function sessionCommand(context: Context): Command {
  return group('session', 'sessions: browsers that are signed in', [listOf(context), revokeCommand(context)])
}

interface SessionListOptions extends ListOptions {
  readonly user?: string
}

function listOf(context: Context): Command {
  const command = apiCommand('list', 'list where you, or another user, are signed in').option(
    '--user <user>',
    'of this user: login or id; for administrators (default: you)',
  )
  return withLimit(command).action(async (options: SessionListOptions) => {
    const client = context.connect(options)
    const { listSessions, listUserSessions } = sessionRoutes
    const columns = COLUMNS
    if (options.user === undefined) return printList(context, client, { operation: listSessions, columns }, options)
    const params = { id: await idOf(client, users, options.user) }
    return printList(context, client, { operation: listUserSessions, columns, params }, options)
  })
}

interface Listed {
  readonly id: string
  readonly device: string
  readonly address: string
  readonly created_at: string
  readonly last_used_at: string
}

const COLUMNS = [
  ['id', ({ id }: Listed) => id],
  ['device', ({ device }: Listed) => device],
  ['address', ({ address }: Listed) => address],
  ['signed in', ({ created_at }: Listed, now: number) => ago(created_at, now)],
  ['last used', ({ last_used_at }: Listed, now: number) => ago(last_used_at, now)],
] as const

interface RevokeOptions extends ApiOptions {
  readonly all?: boolean
  readonly user?: string
}

function revokeCommand(context: Context): Command {
  return apiCommand('revoke', 'end a session, or all of a user, at once')
    .argument('[id]', 'as `session list` shows it')
    .option('--all', 'all of your sessions')
    .option('--user <user>', 'all sessions of this user: login or id; for administrators')
    .action(async (id: string | undefined, options: RevokeOptions) => {
      const client = context.connect(options)
      const { all = false, user } = options
      if ([id !== undefined, all, user !== undefined].filter(Boolean).length !== 1) {
        throw new CommandFailed('usage', 'Name one session, or say --all, or --user and whose.')
      }
      if (user !== undefined) {
        await client.call(sessionRoutes.revokeUserSessions, { params: { id: await idOf(client, users, user) } })
        return context.printNote(`All sessions of ${user} have ended.`)
      }
      if (id === undefined) {
        await client.call(sessionRoutes.revokeSessions, {})
        return context.printNote('All of your sessions have ended.')
      }
      await client.call(sessionRoutes.revokeSession, { params: { id } })
      return context.printNote(`Session ${id} has ended.`)
    })
}
