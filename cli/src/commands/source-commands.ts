import type { CommentCommand } from '@signalbox/contracts/commands'
import { commandRoutes } from '@signalbox/contracts/commands/routes'
import type { Command } from 'commander'
import { ago } from '../output/durations.ts'
import type { Tone } from '../output/style.ts'
import { apiCommand, type Context } from './context.ts'
import { type Columns, type ListOptions, printList, withLimit } from './listing.ts'
import { resolveSource } from './source-lookup.ts'

export function commentCommandsCommand(context: Context): Command {
  return withLimit(apiCommand('commands', 'list the commands that came in comments, and what became of each'), 20)
    .argument('<source>', 'name or id')
    .option('-r, --repository <repository>', '<owner>/<name>; ignores case')
    .action(async (given: string, options: ListOptions & { readonly repository?: string }) => {
      const client = context.connect(options)
      const query = { source_id: await resolveSource(client, given), repository: options.repository }
      return printList(
        context,
        client,
        { operation: commandRoutes.listCommentCommands, query, columns: COLUMNS },
        options,
      )
    })
}

const TONES: Readonly<Record<CommentCommand['state'], Tone>> = {
  waiting: 'accent',
  done: 'good',
  refused: 'warn',
  failed: 'bad',
}

const COLUMNS: Columns<CommentCommand> = [
  ['id', ({ id }) => id],
  ['received', ({ received_at }, now) => ago(received_at, now)],
  ['pull request', (each) => `${each.repository}#${each.pull_request}`],
  ['by', (each) => each.author_login ?? each.author_id ?? ''],
  ['command', ({ command }) => command ?? ''],
  ['state', ({ state }) => ({ text: state, tone: TONES[state] })],
  ['runs', ({ run_ids }) => String(run_ids.length)],
  ['reason', ({ reason }) => reason ?? ''],
]
