import type { ItemOf, Sendable } from '@signalbox/contracts/http/requests'
import type { Operation, PartOf } from '@signalbox/contracts/http/routes'
import { type Command, Option } from 'commander'
import type { Client } from '../client/client.ts'
import type { Cell } from '../output/table.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { readLimit } from './parse-arguments.ts'

export interface ListOptions extends ApiOptions {
  readonly limit: number
  readonly all?: boolean
}

export interface TeamListOptions extends ListOptions {
  readonly team?: string
}

type Query<L> = Sendable<PartOf<L, 'query'>>

/** The head of each column, and its cell; `now` in milliseconds since 1970. */
export type Columns<T> = readonly (readonly [head: string, cell: (item: T, now: number) => string | Cell])[]

/** A list of the API for a person: its items, and the columns that are shown of each. */
export interface Listing<L extends Operation, O extends ListOptions> {
  readonly description: string
  readonly operation: L
  readonly columns: Columns<ItemOf<L>>
  /** Besides --limit. */
  readonly options?: readonly Option[]
  readonly query?: (options: O, client: Client) => Query<L> | Promise<Query<L>>
  /** How many are shown unless the person says otherwise; 50. */
  readonly limit?: number
}

/** `list` of a group: a table for a person, the API's own items with --json. */
export function listCommand<L extends Operation, O extends ListOptions = ListOptions>(
  context: Context,
  listing: Listing<L, O>,
): Command {
  const command = apiCommand('list', listing.description)
  for (const option of listing.options ?? []) command.addOption(option)
  return withLimit(command, listing.limit).action(async (options: O) => {
    const client = context.connect(options)
    const query = await listing.query?.(options, client)
    await printList(context, client, { ...listing, query }, options)
  })
}

/** A command that prints a list, and how much of it. */
export function withLimit(command: Command, limit = 50): Command {
  return command
    .option('--limit <n>', 'the largest number of items', readLimit, limit)
    .option('--all', 'list all items')
}

export interface ListPrint<L> {
  readonly operation: L
  readonly columns: Columns<ItemOf<L>>
  readonly params?: Sendable<PartOf<L, 'params'>>
  readonly query?: Query<L> | undefined
}

/** The items of a list that the API answers page by page. */
export async function printList<L extends Operation>(
  context: Context,
  client: Client,
  { operation, columns, params, query }: ListPrint<L>,
  options: ListOptions,
): Promise<void> {
  const limit = options.all ? {} : { limit: options.limit }
  const { items, more } = await client.page(operation, { params, query, ...limit })
  if (options.json) context.printJson(items)
  else printItems(context, items, columns)
  if (more) context.printNote(`There are more than these ${items.length}: --all lists all of them.`)
}

/** A table of items as the API answered them. */
export function printItems<T>(context: Context, items: readonly T[], columns: Columns<T>): void {
  const now = Date.now()
  context.printTable(
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
