import type { Command, Option } from 'commander'
import type { Client } from '../client/client.ts'
import { segment } from '../client/client.ts'
import { anything, type Shape } from '../client/shape.ts'
import { CommandFailed } from '../errors.ts'
import type { Cell } from '../output/table.ts'
import { type ConfirmOptions, confirm, confirmedCommand } from './confirm.ts'
import { type ApiOptions, apiCommand, type Context, clientOf, printFields, printJson, printNote } from './context.ts'
import { type Listing, type ListOptions, listCommand } from './listing.ts'

export type Fields = readonly (readonly [string, string | Cell | undefined])[]
export type Body = Readonly<Record<string, unknown>>

/** A plain resource of the API, as the commands of its group need it. */
export interface Resource<T> {
  /** As messages name it: `user`. */
  readonly noun: string
  /** The address of the list; that of one item is below it. */
  readonly path: string
  readonly item: Shape<T>
  /** What a command is given to name one, such as "login or id". */
  readonly named: string
  /** What people call it, such as its login. */
  readonly nameOf: (item: T) => string
  /** Where the API knows names in addresses. Else an id is looked up in the list. */
  readonly addressedByName?: boolean
  /** Narrows the list in which a name is looked up. */
  readonly lookupQuery?: (name: string) => Readonly<Record<string, string>>
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The address of the one that is named so. Throws CommandFailed where the caller sees none of that name. */
export async function addressOf<T extends { readonly id: string }>(
  client: Client,
  resource: Resource<T>,
  given: string,
): Promise<string> {
  return `${resource.path}/${segment(await idOf(client, resource, given))}`
}

/** Its id; what the API takes in its place, where it takes names. */
export async function idOf<T extends { readonly id: string }>(
  client: Client,
  resource: Resource<T>,
  given: string,
): Promise<string> {
  if (resource.addressedByName || UUID.test(given)) return given
  const query = resource.lookupQuery?.(given) ?? {}
  const known = await client.list(resource.path, resource.item, Number.MAX_SAFE_INTEGER, { query })
  const [found, another] = known.filter((item) => resource.nameOf(item) === given)
  if (another) {
    throw new CommandFailed('usage', `More than one ${resource.noun} is called ${given}.`, 'Name it by its id.')
  }
  if (found) return found.id
  throw new CommandFailed('notFound', `There is no ${resource.noun} ${given} that you may see.`)
}

export function listOf<T, O extends ListOptions = ListOptions>(
  context: Context,
  { path, item }: Resource<T>,
  listing: Omit<Listing<T, O>, 'path' | 'item'>,
): Command {
  return listCommand<T, O>(context, { ...listing, path, item })
}

export function showOf<T extends { readonly id: string }>(
  context: Context,
  resource: Resource<T>,
  description: string,
  fieldsOf: (item: T, now: number) => Fields,
): Command {
  return apiCommand('show', description)
    .argument(argumentOf(resource), resource.named)
    .action(async (given: string, options: ApiOptions) => {
      const client = clientOf(context, options)
      const answer = await client.get(await addressOf(client, resource, given), anything)
      if (options.json) return printJson(context, answer)
      return printFields(context, fieldsOf(resource.item(answer, resource.noun), Date.now()))
    })
}

function argumentOf({ noun }: { readonly noun: string }): string {
  return `<${noun.replaceAll(' ', '-')}>`
}

/** What a command does to one resource by a body that follows from its options. */
interface Change<T, O extends ApiOptions> {
  readonly name: string
  readonly description: string
  readonly options?: readonly Option[]
  readonly body: (options: O, client: Client) => Body | Promise<Body>
  /** What is so now, in one sentence. */
  readonly done: (item: T) => string
}

/** Makes one; `argument` is what names the new one. */
export function createOf<T, O extends ApiOptions = ApiOptions>(
  context: Context,
  resource: Resource<T>,
  change: Omit<Change<T, O>, 'name' | 'body'> & {
    readonly argument: string
    readonly body: (given: string, options: O, client: Client) => Body | Promise<Body>
  },
): Command {
  const command = apiCommand('create', change.description).argument(argumentOf(resource), change.argument)
  for (const option of change.options ?? []) command.addOption(option)
  return command.action(async (given: string, options: O) => {
    const client = clientOf(context, options)
    const body = await change.body(given, options, client)
    const answer = await client.post(resource.path, anything, { body })
    if (options.json) return printJson(context, answer)
    return printNote(context, change.done(resource.item(answer, resource.noun)))
  })
}

/** Changes one: by what is given, or always in the same way, such as `disable`. */
export function changeOf<T extends { readonly id: string }, O extends ApiOptions = ApiOptions>(
  context: Context,
  resource: Resource<T>,
  change: Change<T, O>,
): Command {
  const command = apiCommand(change.name, change.description).argument(argumentOf(resource), resource.named)
  for (const option of change.options ?? []) command.addOption(option)
  return command.action(async (given: string, options: O) => {
    const client = clientOf(context, options)
    const body = await change.body(options, client)
    if (Object.values(body).every((value) => value === undefined)) {
      throw new CommandFailed('usage', 'Nothing is given that could be changed.')
    }
    const { body: answer } = await client.request('PATCH', await addressOf(client, resource, given), { body })
    if (options.json) return printJson(context, answer)
    return printNote(context, change.done(resource.item(answer, resource.noun)))
  })
}

/** `loss` says what goes with it, for the person who is asked. */
export function deleteOf<T extends { readonly id: string }>(
  context: Context,
  resource: Resource<T>,
  description: string,
  loss?: string,
): Command {
  return confirmedCommand('delete', description)
    .argument(argumentOf(resource), resource.named)
    .action(async (given: string, options: ConfirmOptions) => {
      const client = clientOf(context, options)
      const address = await addressOf(client, resource, given)
      await confirm(context, `Delete the ${resource.noun} ${given}`, options, loss)
      await client.request('DELETE', address)
      if (options.json) return printJson(context, { deleted: given })
      return printNote(context, `The ${resource.noun} ${given} is deleted.`)
    })
}
