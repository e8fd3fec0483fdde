import { type Command, Option } from 'commander'
import type { Client } from '../client/client.ts'
import { anything, type Shape } from '../client/shape.ts'
import type { Cell } from '../output/table.ts'
import { type ApiOptions, apiCommand, type Context, clientOf, printJson, printTable } from './context.ts'
import { readLimit } from './parse-arguments.ts'

export interface ListOptions extends ApiOptions {
  readonly limit: number
}

export interface TeamListOptions extends ListOptions {
  readonly team?: string
}

/** What a list of the API is for a person: which items, and what is worth a column of each. */
export interface Listing<T, O extends ListOptions> {
  readonly description: string
  readonly path: string
  readonly item: Shape<T>
  /** The head of each column, and its cell; `now` in milliseconds since 1970. */
  readonly columns: readonly (readonly [head: string, cell: (item: T, now: number) => string | Cell])[]
  /** Besides --limit. */
  readonly options?: readonly Option[]
  readonly query?: (options: O) => NonNullable<Parameters<Client['list']>[3]>['query']
  /** How many are shown unless the person says otherwise; 50. */
  readonly limit?: number
}

/** `list` of a group: a table for a person, the API's own items with --json. */
export function listCommand<T, O extends ListOptions = ListOptions>(context: Context, listing: Listing<T, O>): Command {
  const command = apiCommand('list', listing.description)
  for (const option of listing.options ?? []) command.addOption(option)
  return command
    .option('--limit <n>', 'how many at most', readLimit, listing.limit ?? 50)
    .action(async (options: O) => {
      const query = listing.query?.(options) ?? {}
      const answer = await clientOf(context, options).list(listing.path, anything, options.limit, { query })
      if (options.json) return printJson(context, answer)
      const now = Date.now()
      const items = answer.map((item, at) => listing.item(item, `item ${at + 1}`))
      const rows = items.map((item) => listing.columns.map(([, cell]) => cell(item, now)))
      return printTable(
        context,
        listing.columns.map(([head]) => head),
        rows,
      )
    })
}

export function teamOption(description = 'of this team'): Option {
  return new Option('-t, --team <path>', description)
}

/** For lists that --team narrows. */
export function queryOfTeam({ team }: TeamListOptions) {
  return { team_path: team }
}

/** Only what is switched off stands out. */
export function enabledCell({ enabled }: { readonly enabled: boolean }): string | Cell {
  return enabled ? 'enabled' : { text: 'disabled', tone: 'warn' }
}
