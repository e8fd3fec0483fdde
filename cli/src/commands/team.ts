import { teamRoutes } from '@signalbox/contracts/teams/routes'
import { type Command, Option } from 'commander'
import { ago } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context, clientOf, group, printJson, printNote } from './context.ts'
import { printEnvironments } from './environment.ts'
import { type ListOptions, listCommand, withLimit } from './listing.ts'
import { changeOf, deleteOf, showOf } from './resource.ts'

const teams = {
  noun: 'team',
  named: 'path or id',
  get: teamRoutes.getTeam,
  change: teamRoutes.updateTeam,
  delete: teamRoutes.deleteTeam,
}

export function teamCommand(context: Context): Command {
  return group('team', 'teams: who owns things; they form a tree', [
    listCommand(context, {
      description: 'the teams that you may see',
      operation: teamRoutes.listTeams,
      columns: [
        ['team', ({ path }) => path],
        ['name', ({ name }) => name],
        ['created', ({ created_at }, now) => ago(created_at, now)],
      ],
    }),
    showOf(context, teams, 'one team', (found, now) => [
      ['team', found.path],
      ['id', found.id],
      ['name', found.name],
      ['created', ago(found.created_at, now)],
      ['changed', ago(found.updated_at, now)],
    ]),
    createCommand(context),
    changeOf(context, teams, {
      name: 'update',
      description: 'change what is given of a team; a path never changes',
      options: [new Option('--name <name>', 'as people call it')],
      body: ({ name }: ApiOptions & { readonly name?: string }) => ({ name }),
      done: ({ path, name }) => `The team ${path} is called ${name}.`,
    }),
    environmentsCommand(context),
    deleteOf(context, teams, 'delete a team that owns nothing any more', 'The grants at it go with it.'),
  ])
}

function createCommand(context: Context): Command {
  return apiCommand('create', 'make a team; its parents must exist')
    .argument('<team>', 'path, such as acme/web')
    .option('--name <name>', 'as people call it')
    .option('-e, --environment <names...>', 'environments to make in it')
    .action(async (path: string, options: ApiOptions & { name?: string; environment?: readonly string[] }) => {
      const client = clientOf(context, options)
      const made = await client.call(teamRoutes.createTeam, { body: { path, name: options.name } })
      for (const name of options.environment ?? []) {
        await client.call(teamRoutes.createEnvironment, { params: { id: path }, body: { name } })
      }
      if (options.json) return printJson(context, made)
      return printNote(context, `Team ${made.path} is made.`)
    })
}

/** As `environment list`, where people looked for it first. */
function environmentsCommand(context: Context): Command {
  return withLimit(apiCommand('environments', 'the environments of a team, and the scopes that name them'))
    .argument('<team>', teams.named)
    .action((id: string, options: ListOptions) => printEnvironments(context, id, options))
}
