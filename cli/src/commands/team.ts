import type { Command } from 'commander'
import { environment, team } from '../client/answers.ts'
import { segment } from '../client/client.ts'
import { anything } from '../client/shape.ts'
import { ago } from '../output/durations.ts'
import {
  type ApiOptions,
  apiCommand,
  type Context,
  clientOf,
  group,
  printJson,
  printNote,
  printTable,
} from './context.ts'
import { listCommand } from './listing.ts'

export function teamCommand(context: Context): Command {
  return group('team', 'teams and their environments', [
    listOf(context),
    createCommand(context),
    environmentCommand(context),
  ])
}

function listOf(context: Context): Command {
  return listCommand(context, {
    description: 'the teams that you may see',
    path: '/v1/teams',
    item: team,
    columns: [
      ['team', ({ path }) => path],
      ['name', ({ name }) => name],
      ['created', ({ created_at }, now) => ago(created_at, now)],
    ],
  })
}

function createCommand(context: Context): Command {
  return apiCommand('create', 'make a team; its parents must exist')
    .argument('<path>', 'such as acme/web')
    .option('--name <name>', 'as people call it')
    .option('-e, --environment <names...>', 'environments to make in it')
    .action(async (path: string, options: ApiOptions & { name?: string; environment?: readonly string[] }) => {
      const client = clientOf(context, options)
      const body = { path, ...(options.name === undefined ? {} : { name: options.name }) }
      const answer = await client.post('/v1/teams', anything, { body })
      for (const name of options.environment ?? []) {
        await client.post(`/v1/teams/${segment(path)}/environments`, anything, { body: { name } })
      }
      if (options.json) return printJson(context, answer)
      return printNote(context, `Team ${team(answer, 'team').path} is made.`)
    })
}

function environmentCommand(context: Context): Command {
  return apiCommand('environments', 'the environments of a team, and the scopes that name them')
    .argument('<team>', 'path or id')
    .action(async (path: string, options: ApiOptions) => {
      const client = clientOf(context, options)
      const answer = await client.get(`/v1/teams/${segment(path)}/environments`, anything)
      if (options.json) return printJson(context, answer)
      const items = Array.isArray(answer) ? answer.map((item: unknown) => environment(item, 'environment')) : []
      const rows = items.map((each) => [each.name, each.scope, each.protected ? 'protected' : ''])
      return printTable(context, ['environment', 'scope', ''], rows)
    })
}
