import { type BodyOf, entriesOf, type ItemOf } from '@signalbox/contracts/http/requests'
import type { Operation, SuccessOf } from '@signalbox/contracts/http/routes'
import type { Command, Option } from 'commander'
import type { Client } from '../client/client.ts'
import { CommandFailed } from '../errors.ts'
import type { Field } from '../output/table.ts'
import { type ConfirmOptions, confirm, confirmedCommand } from './confirm.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'

/** A plain resource of the API, as the commands of its group need it. */
export interface Resource {
  /** The name in messages: `user`. */
  readonly noun: string
  /** The argument that names a resource, such as "login or id". */
  readonly named: string
  /** The parameter by which its routes name one; default: `id`. */
  readonly param?: string
  /** All that have this name. Left out where the API knows names in addresses. */
  readonly lookUp?: (client: Client, name: string) => Promise<readonly { readonly id: string }[]>
}

interface Readable extends Resource {
  readonly get: Operation
}

interface Creatable extends Resource {
  readonly create: Operation
}

interface Changeable extends Resource {
  readonly change: Operation
}

interface Deletable extends Resource {
  readonly delete: Operation
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id, or the name that the API takes in its place. Throws CommandFailed where the caller sees none of that name. */
export async function idOf(client: Client, { noun, lookUp }: Resource, given: string): Promise<string> {
  if (!lookUp || UUID.test(given)) return given
  const [found, another] = await lookUp(client, given)
  if (another) {
    throw new CommandFailed('usage', `More than one ${noun} is called ${given}.`, 'Name it by its id.')
  }
  if (found) return found.id
  const list = `signalbox ${wordOf(noun)} list`
  throw new CommandFailed('notFound', `There is no ${noun} ${given} that you may see.`, `\`${list}\` shows them.`)
}

async function paramsOf(client: Client, resource: Resource, given: string): Promise<Readonly<Record<string, string>>> {
  return { [resource.param ?? 'id']: await idOf(client, resource, given) }
}

/** Finds by name what the API knows by its id alone. */
export function lookUpBy<L extends Operation>(list: L, nameOf: (item: ItemOf<L>) => string) {
  return async (client: Client, name: string): Promise<readonly ItemOf<L>[]> => {
    const { items } = await client.page(list, {})
    return items.filter((item) => nameOf(item) === name)
  }
}

export function showOf<R extends Readable>(
  context: Context,
  resource: R,
  description: string,
  fieldsOf: (item: SuccessOf<R['get']>, now: number, client: Client) => readonly Field[],
): Command {
  return apiCommand('show', description)
    .argument(argumentOf(resource), resource.named)
    .action(async (given: string, options: ApiOptions) => {
      const client = context.connect(options)
      const params = await paramsOf(client, resource, given)
      const { body } = await client.exchange<R['get']>(resource.get, { params })
      if (options.json) return context.printJson(body)
      return context.printFields(fieldsOf(body, Date.now(), client))
    })
}

function argumentOf({ noun }: Resource): string {
  return `<${wordOf(noun)}>`
}

/** The name as a word of a command line. */
function wordOf(noun: string): string {
  return noun.replaceAll(' ', '-')
}

type MaybeLater<T> = T | Promise<T>

/** A command that changes one resource by a body that follows from its options. */
interface Change<C extends Operation, O extends ApiOptions> {
  readonly name: string
  readonly description: string
  readonly options?: readonly Option[]
  readonly body: (options: O, client: Client) => MaybeLater<BodyOf<C>>
  /** The result, in one sentence. */
  readonly done: (item: SuccessOf<C>) => string
}

/** Makes one; `argument` is what names the new one. */
export function createOf<R extends Creatable, O extends ApiOptions = ApiOptions>(
  context: Context,
  resource: R,
  change: Omit<Change<R['create'], O>, 'name' | 'body'> & {
    readonly argument: string
    readonly body: (given: string, options: O, client: Client) => MaybeLater<BodyOf<R['create']>>
  },
): Command {
  const command = apiCommand('create', change.description).argument(argumentOf(resource), change.argument)
  for (const option of change.options ?? []) command.addOption(option)
  return command.action(async (given: string, options: O) => {
    const client = context.connect(options)
    const { body } = await client.exchange<R['create']>(resource.create, {
      body: await change.body(given, options, client),
    })
    if (options.json) return context.printJson(body)
    return context.printNote(change.done(body))
  })
}

/** Changes one: by the given values, or always in the same way, such as `disable`. */
export function changeOf<R extends Changeable, O extends ApiOptions = ApiOptions>(
  context: Context,
  resource: R,
  change: Change<R['change'], O>,
): Command {
  const command = apiCommand(change.name, change.description).argument(argumentOf(resource), resource.named)
  for (const option of change.options ?? []) command.addOption(option)
  return command.action(async (given: string, options: O) => {
    const client = context.connect(options)
    const body = await change.body(options, client)
    if (entriesOf(body).every(([, value]) => value === undefined)) {
      throw new CommandFailed('usage', 'No option says what to change.')
    }
    const params = await paramsOf(client, resource, given)
    const { body: changed } = await client.exchange<R['change']>(resource.change, { params, body })
    if (options.json) return context.printJson(changed)
    return context.printNote(change.done(changed))
  })
}

/** `loss` names the things deleted with it, for the person who is asked. */
export function deleteOf(context: Context, resource: Deletable, description: string, loss?: string): Command {
  return confirmedCommand('delete', description)
    .argument(argumentOf(resource), resource.named)
    .action(async (given: string, options: ConfirmOptions) => {
      const client = context.connect(options)
      const params = await paramsOf(client, resource, given)
      await confirm(context, `Delete the ${resource.noun} ${given}`, options, loss)
      await client.exchange(resource.delete, { params })
      if (options.json) return context.printJson({ deleted: given })
      return context.printNote(`The ${resource.noun} ${given} is deleted.`)
    })
}
