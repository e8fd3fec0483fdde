import { type Command, Option } from 'commander'
import type { Client, RequestOptions } from '../client/client.ts'
import { anything, type Shape } from '../client/shape.ts'
import type { Cell } from '../output/table.ts'
import { type ApiOptions, apiCommand, type Context, clientOf, printJson, printNote, printTable } from './context.ts'
import { readLimit } from './parse-arguments.ts'

export interface ListOptions extends ApiOptions {
  readonly limit: number
  readonly all?: boolean
}

type Query = NonNullable<RequestOptions['query']>

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
  readonly query?: (options: O, client: Client) => Query | Promise<Query>
  /** How many are shown unless the person says otherwise; 50. */
  readonly limit?: number
}

/** `list` of a group: a table for a person, the API's own items with --json. */
export function listCommand<T, O extends ListOptions = ListOptions>(context: Context, listing: Listing<T, O>): Command {
  const command = apiCommand('list', listing.description)
  for (const option of listing.options ?? []) command.addOption(option)
  return command
    .option('--limit <n>', 'how many at most', readLimit, listing.limit ?? 50)
    .option('--all', 'all of them, however many there are')
    .action(async (options: O) => {
      const client = clientOf(context, options)
      const query = (await listing.query?.(options, client)) ?? {}
      await printList(context, client, { ...listing, query }, options)
    })
}

/** The items of a list that the API answers page by page. */
export async function printList<T>(
  context: Context,
  client: Client,
  { path, item, columns, query }: Pick<Listing<T, never>, 'path' | 'item' | 'columns'> & { readonly query?: Query },
  options: ListOptions,
): Promise<void> {
  const limit = options.all ? Number.MAX_SAFE_INTEGER : options.limit
  const answer = await client.listUpTo(path, anything, limit, query === undefined ? {} : { query })
  if (options.json) printJson(context, answer.items)
  else printItems(context, answer.items, { item, columns })
  if (answer.more) printNote(context, `There are more than these ${answer.items.length}: --all lists all of them.`)
}

/** A table of items as the API answered them. */
export function printItems<T>(
  context: Context,
  answer: readonly unknown[],
  { item, columns }: Pick<Listing<T, never>, 'item' | 'columns'>,
): void {
  const now = Date.now()
  const items = answer.map((each, at) => item(each, `item ${at + 1}`))
  printTable(
    context,
    columns.map(([head]) => head),
    items.map((each) => columns.map(([, cell]) => cell(each, now))),
  )
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

export function disabledCell({ disabled }: { readonly disabled: boolean }): string | Cell {
  return enabledCell({ enabled: !disabled })
}
