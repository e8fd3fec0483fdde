import type { Environment } from '@signalbox/contracts/teams'
import { teamRoutes } from '@signalbox/contracts/teams/routes'
import { type Command, Option } from 'commander'
import { CommandFailed } from '../errors.ts'
import { type ConfirmOptions, confirm, confirmedCommand } from './confirm.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { type ListOptions, type ListPrint, printList, withLimit } from './listing.ts'
import { splitName } from './parse-arguments.ts'
import { nameOfSubject, SUBJECT, subjectOf } from './subjects.ts'

const SCOPE = 'scope, <team path>/<environment>, such as acme/web/production'

export function environmentCommand(context: Context): Command {
  return group('environment', 'environments of teams; each one is a scope for runs', [
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
  return withLimit(apiCommand('list', 'list the environments of a team'))
    .argument('<team>', 'path or id')
    .action((team: string, options: ListOptions) => printEnvironments(context, team, options))
}

export function printEnvironments(context: Context, id: string, options: ListOptions): Promise<void> {
  const environments = {
    operation: teamRoutes.listEnvironments,
    params: { id },
    columns: [
      ['environment', ({ name }) => name],
      ['scope', ({ scope }) => scope],
      ['', protectionOf],
    ],
  } satisfies ListPrint<typeof teamRoutes.listEnvironments>
  return printList(context, context.connect(options), environments, options)
}

function showCommand(context: Context): Command {
  return apiCommand('show', 'show an environment; if it is protected, also who may use it')
    .argument('<scope>', SCOPE)
    .action(async (scope: string, options: ApiOptions) => {
      const client = context.connect(options)
      const { id, name } = splitScope(scope)
      const known = await client.list(teamRoutes.listEnvironments, { params: { id } })
      const found = known.find((each) => each.name === name)
      if (found === undefined) throw new CommandFailed('notFound', `There is no scope ${scope} that you may see.`)
      if (options.json) return context.printJson(found)
      const names = await Promise.all(found.allowed_subjects.map((subject) => nameOfSubject(client, subject)))
      return context.printFields([
        ['scope', found.scope],
        ['id', found.id],
        ['protected', found.protected ? 'yes' : 'no: everybody with the permission scope.use may use it'],
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
    made ? 'create an environment in a team' : 'change the protection of an environment, and who may use it',
  )
    .argument('<scope>', SCOPE)
    .addOption(new Option('--protected', 'only allowed subjects may use it; this holds for administrators too'))
    .addOption(new Option('--no-protected', 'everybody with the permission scope.use may use it').default(undefined))
    .option('--allow <subjects...>', `the complete list of subjects that may use it when it is protected: ${SUBJECT}`)
    .action(async (scope: string, options: WriteOptions) => {
      const client = context.connect(options)
      const params = splitScope(scope)
      if (!made && options.protected === undefined && options.allow === undefined) {
        throw new CommandFailed('usage', 'Give what to change: --protected, --no-protected or --allow.')
      }
      const allowed = options.allow && (await Promise.all(options.allow.map((each) => subjectOf(client, each))))
      const body = { protected: options.protected, allowed_subjects: allowed }
      const written = made
        ? await client.call(teamRoutes.createEnvironment, {
            params: { id: params.id },
            body: { ...body, name: params.name },
          })
        : await client.call(teamRoutes.updateEnvironment, { params, body })
      if (options.json) return context.printJson(written)
      const protection = written.protected ? ` The scope is ${protectionOf(written)}.` : ''
      return context.printNote(`The scope ${written.scope} is ${made ? 'created' : 'changed'}.${protection}`)
    })
}

function deleteCommand(context: Context): Command {
  return confirmedCommand('delete', 'delete an environment; no run can use its scope afterwards')
    .argument('<scope>', SCOPE)
    .action(async (scope: string, options: ConfirmOptions) => {
      const params = splitScope(scope)
      await confirm(context, `Delete the environment ${scope}`, options)
      await context.connect(options).call(teamRoutes.deleteEnvironment, { params })
      if (options.json) return context.printJson({ deleted: scope })
      return context.printNote(`The environment ${scope} is deleted.`)
    })
}

/** The path of the team, which the API takes for its id, and the name of the environment. */
function splitScope(scope: string): { readonly id: string; readonly name: string } {
  const [id, name] = splitName(scope, `a ${SCOPE}`)
  return { id, name }
}
