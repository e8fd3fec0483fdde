import { teamRoutes } from '@signalbox/contracts/teams/routes'
import { type Command, Option } from 'commander'
import { ago } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { printEnvironments } from './environment.ts'
import { type ListOptions, listCommand, withLimit } from './listing.ts'
import { changeOf, deleteOf, showOf } from './resource.ts'
import { countsCommand } from './team-counts.ts'
import { membersCommand } from './team-members.ts'

const teams = {
  noun: 'team',
  named: 'path or id',
  get: teamRoutes.getTeam,
  change: teamRoutes.updateTeam,
  delete: teamRoutes.deleteTeam,
}

export function teamCommand(context: Context): Command {
  return group('team', 'teams, which own all resources and form a tree', [
    listCommand(context, {
      description: 'list the teams that you may see',
      operation: teamRoutes.listTeams,
      columns: [
        ['team', ({ path }) => path],
        ['name', ({ name }) => name],
        ['created', ({ created_at }, now) => ago(created_at, now)],
      ],
    }),
    showOf(context, teams, 'show a team', (found, now) => [
      ['team', found.path],
      ['id', found.id],
      ['name', found.name],
      ['created', ago(found.created_at, now)],
      ['changed', ago(found.updated_at, now)],
    ]),
    countsCommand(context),
    createCommand(context),
    changeOf(context, teams, {
      name: 'update',
      description: 'change the name of a team; its path never changes',
      options: [new Option('--name <name>', 'name that people see')],
      body: ({ name }: ApiOptions & { readonly name?: string }) => ({ name }),
      done: ({ path, name }) => `The team ${path} is called ${name}.`,
    }),
    environmentsCommand(context),
    membersCommand(context),
    deleteOf(context, teams, 'delete a team that owns nothing', 'The grants at the team are deleted too.'),
  ])
}

function createCommand(context: Context): Command {
  return apiCommand('create', 'create a team; its parent teams must exist')
    .argument('<team>', 'path, such as acme/web')
    .option('--name <name>', 'name that people see')
    .option('-e, --environment <names...>', 'environments to create in it')
    .action(async (path: string, options: ApiOptions & { name?: string; environment?: readonly string[] }) => {
      const client = context.connect(options)
      const made = await client.call(teamRoutes.createTeam, { body: { path, name: options.name } })
      for (const name of options.environment ?? []) {
        await client.call(teamRoutes.createEnvironment, { params: { id: path }, body: { name } })
      }
      if (options.json) return context.printJson(made)
      return context.printNote(`Team ${made.path} is created.`)
    })
}

/** The same as `environment list`, where people looked for it first. */
function environmentsCommand(context: Context): Command {
  return withLimit(apiCommand('environments', 'list the environments of a team and their scopes'))
    .argument('<team>', teams.named)
    .action((id: string, options: ListOptions) => printEnvironments(context, id, options))
}
