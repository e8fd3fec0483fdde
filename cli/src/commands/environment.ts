import { type Command, Option } from 'commander'
import { environment } from '../client/access-answers.ts'
import { segment } from '../client/client.ts'
import { anything } from '../client/shape.ts'
import { CommandFailed } from '../errors.ts'
import { type ConfirmOptions, confirm, confirmedCommand } from './confirm.ts'
import {
  type ApiOptions,
  apiCommand,
  type Context,
  clientOf,
  group,
  printFields,
  printJson,
  printNote,
} from './context.ts'
import { type Listing, type ListOptions, printList } from './listing.ts'
import { readLimit } from './parse-arguments.ts'
import { nameOfSubject, SUBJECT, subjectOf } from './subjects.ts'

type Environment = ReturnType<typeof environment>

export const environmentColumns: Listing<Environment, never>['columns'] = [
  ['environment', ({ name }) => name],
  ['scope', ({ scope }) => scope],
  ['', protectionOf],
]

const SCOPE = 'scope, <team path>/<environment>, such as acme/web/production'

export function environmentCommand(context: Context): Command {
  return group('environment', 'environments of teams: each is a scope in which runs may run', [
    listCommand(context),
    showCommand(context),
    writeCommand(context, 'create'),
    writeCommand(context, 'update'),
    deleteCommand(context),
  ])
}

function protectionOf({ protected: isProtected, allowed_subjects: allowed }: Environment): string {
  if (!isProtected) return ''
  return `protected, for ${allowed.length === 1 ? '1 subject' : `${allowed.length} subjects`}`
}

function listCommand(context: Context): Command {
  return apiCommand('list', 'the environments of a team')
    .argument('<team>', 'path or id')
    .option('--limit <n>', 'how many at most', readLimit, 50)
    .option('--all', 'all of them, however many there are')
    .action((team: string, options: ListOptions) =>
      printList(
        context,
        clientOf(context, options),
        { path: listPath(team), item: environment, columns: environmentColumns },
        options,
      ),
    )
}

function showCommand(context: Context): Command {
  return apiCommand('show', 'one environment, and who may use it where it is protected')
    .argument('<scope>', SCOPE)
    .action(async (scope: string, options: ApiOptions) => {
      const client = clientOf(context, options)
      const { team, name } = splitScope(scope)
      const known = await client.list(listPath(team), anything, Number.MAX_SAFE_INTEGER)
      const answer = known.find((each, at) => environment(each, `environment ${at + 1}`).name === name)
      if (answer === undefined) throw new CommandFailed('notFound', `There is no scope ${scope} that you may see.`)
      if (options.json) return printJson(context, answer)
      const found = environment(answer, 'environment')
      const names = await Promise.all(found.allowed_subjects.map((subject) => nameOfSubject(client, subject)))
      return printFields(context, [
        ['scope', found.scope],
        ['id', found.id],
        ['protected', found.protected ? 'yes' : 'no: whoever has the permission scope.use there may use it'],
        ...names.map((subject, at) => [at === 0 ? 'allowed' : '', subject] as const),
      ])
    })
}

interface WriteOptions extends ApiOptions {
  readonly protected?: boolean
  readonly allow?: readonly string[]
}

function writeCommand(context: Context, name: 'create' | 'update'): Command {
  const made = name === 'create'
  return apiCommand(
    name,
    made ? 'make an environment in a team' : 'protect an environment, or end that; say who may use it',
  )
    .argument('<scope>', SCOPE)
    .addOption(new Option('--protected', 'only who is allowed may use it, the administrators included'))
    .addOption(new Option('--no-protected', 'whoever has the permission scope.use there may use it').default(undefined))
    .option('--allow <subjects...>', `who may use it when it is protected, all of them: ${SUBJECT}`)
    .action(async (scope: string, options: WriteOptions) => {
      const client = clientOf(context, options)
      const { team, name: environmentName } = splitScope(scope)
      if (!made && options.protected === undefined && options.allow === undefined) {
        throw new CommandFailed(
          'usage',
          'Nothing is given that could be changed: --protected, --no-protected or --allow.',
        )
      }
      const allowed = options.allow && (await Promise.all(options.allow.map((each) => subjectOf(client, each))))
      const body = { protected: options.protected, allowed_subjects: allowed }
      const answer = made
        ? await client.post(listPath(team), anything, { body: { ...body, name: environmentName } })
        : (await client.request('PATCH', `${listPath(team)}/${segment(environmentName)}`, { body })).body
      if (options.json) return printJson(context, answer)
      const written = environment(answer, 'environment')
      const protection = written.protected ? ` It is ${protectionOf(written)}.` : ''
      return printNote(context, `The scope ${written.scope} is ${made ? 'made' : 'changed'}.${protection}`)
    })
}

function deleteCommand(context: Context): Command {
  return confirmedCommand('delete', 'delete an environment: nothing can run in its scope any more')
    .argument('<scope>', SCOPE)
    .action(async (scope: string, options: ConfirmOptions) => {
      const { team, name } = splitScope(scope)
      await confirm(context, `Delete the environment ${scope}`, options)
      await clientOf(context, options).request('DELETE', `${listPath(team)}/${segment(name)}`)
      if (options.json) return printJson(context, { deleted: scope })
      return printNote(context, `The environment ${scope} is deleted.`)
    })
}

function listPath(team: string): string {
  return `/v1/teams/${segment(team)}/environments`
}

function splitScope(scope: string): { readonly team: string; readonly name: string } {
  const at = scope.lastIndexOf('/')
  if (at < 1) throw new CommandFailed('usage', `"${scope}" is no ${SCOPE}.`)
  return { team: scope.slice(0, at), name: scope.slice(at + 1) }
}
