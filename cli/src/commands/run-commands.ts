import type { RunCommand } from '@signalbox/contracts/commands'
import { commandRoutes } from '@signalbox/contracts/commands/routes'
import type { Command } from 'commander'
import { ago } from '../output/durations.ts'
import { apiCommand, type Context } from './context.ts'
import { type Columns, type ListOptions, printList, withLimit } from './listing.ts'

export function runCommandsCommand(context: Context): Command {
  const description = 'list the commands in comments that started, repeated, canceled or approved a run'
  return withLimit(apiCommand('commands', description), 20)
    .argument('<run>', 'id of the run')
    .action((id: string, options: ListOptions) => {
      const listing = { operation: commandRoutes.listRunCommands, params: { id }, columns: COLUMNS }
      return printList(context, context.connect(options), listing, options)
    })
}

const COLUMNS: Columns<RunCommand> = [
  ['received', ({ received_at }, now) => ago(received_at, now)],
  ['pull request', (each) => `${each.repository}#${each.pull_request}`],
  ['by', (each) => each.author_login ?? each.author_id ?? ''],
  ['command', ({ command }) => command],
  ['outcome', ({ outcome }) => outcome],
  ['with the rights of', ({ acted_as }) => acted_as ?? ''],
]
