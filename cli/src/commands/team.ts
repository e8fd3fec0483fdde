import { type Command, Option } from 'commander'
import { environment, team } from '../client/access-answers.ts'
import { segment } from '../client/client.ts'
import { anything } from '../client/shape.ts'
import { ago } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context, clientOf, group, printJson, printNote } from './context.ts'
import { environmentColumns } from './environment.ts'
import { type ListOptions, printList } from './listing.ts'
import { readLimit } from './parse-arguments.ts'
import { changeOf, deleteOf, listOf, type Resource, showOf } from './resource.ts'

const teams: Resource<ReturnType<typeof team>> = {
  noun: 'team',
  path: '/v1/teams',
  item: team,
  named: 'path or id',
  nameOf: ({ path }) => path,
  addressedByName: true,
}

export function teamCommand(context: Context): Command {
  return group('team', 'teams: who owns things; they form a tree', [
    listOf(context, teams, {
      description: 'the teams that you may see',
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
    changeOf<ReturnType<typeof team>, ApiOptions & { name?: string }>(context, teams, {
      name: 'update',
      description: 'change what is given of a team; a path never changes',
      options: [new Option('--name <name>', 'as people call it')],
      body: ({ name }) => ({ name }),
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
      const answer = await client.post('/v1/teams', anything, { body: { path, name: options.name } })
      for (const name of options.environment ?? []) {
        await client.post(`/v1/teams/${segment(path)}/environments`, anything, { body: { name } })
      }
      if (options.json) return printJson(context, answer)
      return printNote(context, `Team ${team(answer, 'team').path} is made.`)
    })
}

/** As `environment list`, where people looked for it first. */
function environmentsCommand(context: Context): Command {
  return apiCommand('environments', 'the environments of a team, and the scopes that name them')
    .argument('<team>', teams.named)
    .option('--limit <n>', 'how many at most', readLimit, 50)
    .option('--all', 'all of them, however many there are')
    .action((given: string, options: ListOptions) => {
      const path = `/v1/teams/${segment(given)}/environments`
      return printList(
        context,
        clientOf(context, options),
        { path, item: environment, columns: environmentColumns },
        options,
      )
    })
}
