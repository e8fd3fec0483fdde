import type { Command } from 'commander'
import { source, trigger } from '../client/answers.ts'
import { type Client, segment } from '../client/client.ts'
import { ApiProblem } from '../client/problem.ts'
import { anything } from '../client/shape.ts'
import { CommandFailed } from '../errors.ts'
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
import { readLimit } from './parse-arguments.ts'
import { createCommand } from './source-create.ts'
import { deliveriesCommand, deliveryCommand } from './source-deliveries.ts'
import { branchesCommand, healthCommand } from './source-health.ts'
import { resolveSource } from './source-lookup.ts'
import { replayCommand } from './source-replay.ts'

export function sourceCommand(context: Context): Command {
  return group('source', 'webhook sources: where deliveries come from', [
    listCommand(context),
    createCommand(context),
    switchCommand(context, 'enable', true),
    switchCommand(context, 'disable', false),
    deleteCommand(context),
    healthCommand(context),
    deliveriesCommand(context),
    deliveryCommand(context),
    replayCommand(context),
    branchesCommand(context),
  ])
}

function listCommand(context: Context): Command {
  return apiCommand('list', 'the sources that you may see')
    .option('--limit <n>', 'how many at most', readLimit, 50)
    .action(async (options: ApiOptions & { limit: number }) => {
      const answer = await clientOf(context, options).list('/v1/git-webhook-sources', anything, options.limit)
      if (options.json) return printJson(context, answer)
      const rows = answer
        .map((item) => source(item, 'source'))
        .map((each) => [
          each.id,
          each.name,
          each.provider,
          each.team_path,
          each.enabled ? 'enabled' : { text: 'disabled', tone: 'warn' as const },
          String(each.connected_trigger_count),
        ])
      return printTable(context, ['id', 'name', 'provider', 'team', '', 'triggers'], rows)
    })
}

function switchCommand(context: Context, name: string, enabled: boolean): Command {
  const what = enabled ? 'take deliveries again' : 'answer every delivery with 404, as if there were no such source'
  return apiCommand(name, what)
    .argument('<source>', 'name or id')
    .action(async (given: string, options: ApiOptions) => {
      const client = clientOf(context, options)
      const path = `/v1/git-webhook-sources/${segment(await resolveSource(client, given))}`
      const answer = await client.request('PATCH', path, { body: { enabled } })
      if (options.json) return printJson(context, answer.body)
      return printNote(context, `The source ${source(answer.body, 'source').name} is ${name}d.`)
    })
}

function deleteCommand(context: Context): Command {
  return apiCommand('delete', 'delete a source with its deliveries; refused while triggers use it')
    .argument('<source>', 'name or id')
    .option('--force', 'also where triggers use it: they match nothing from then on')
    .action(async (given: string, options: ApiOptions & { force?: boolean }) => {
      const client = clientOf(context, options)
      const id = await resolveSource(client, given)
      const connected = await listConnected(client, id)
      try {
        const query = options.force ? {} : { if_unused: true }
        await client.request('DELETE', `/v1/git-webhook-sources/${segment(id)}`, { query })
      } catch (error) {
        if (!(error instanceof ApiProblem) || error.code !== 'source.in_use') throw error
        // Those that the caller may not see are counted in its sentence only.
        const named = connected.length === 0 ? '' : ` You see ${connected.join(', ')}.`
        const remedy = `signalbox source delete ${given} --force, and they match nothing from then on`
        throw new CommandFailed('conflict', `${error.message}${named}`, remedy)
      }
      printNote(context, `The source ${given} is deleted; its deliveries cannot be read any more.`)
      for (const name of connected) printNote(context, `The trigger ${name} matches nothing from now on.`)
    })
}

async function listConnected(client: Client, sourceId: string): Promise<readonly string[]> {
  const triggers = await client.list('/v1/triggers', trigger, 500, { query: { source_id: sourceId } })
  return triggers.map((each) => `${each.team_path}/${each.name}`)
}
