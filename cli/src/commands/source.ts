import { sourceRoutes } from '@signalbox/contracts/sources/routes'
import { triggerRoutes } from '@signalbox/contracts/triggers/routes'
import type { Command } from 'commander'
import type { Client } from '../client/client.ts'
import { ApiProblem } from '../client/problem.ts'
import { CommandFailed } from '../errors.ts'
import { type ConfirmOptions, confirm, confirmedCommand } from './confirm.ts'
import { type Context, group } from './context.ts'
import { enabledCell, listCommand } from './listing.ts'
import { changeOf, showOf } from './resource.ts'
import { commentCommandsCommand } from './source-commands.ts'
import { connectCommand, connectionsCommand, disconnectCommand } from './source-connect.ts'
import { deliveriesCommand, deliveryCommand } from './source-deliveries.ts'
import { branchesCommand, healthCommand } from './source-health.ts'
import { payloadUrlOf, resolveSource, sources } from './source-lookup.ts'
import { recoveriesCommand } from './source-recoveries.ts'
import { replayCommand } from './source-replay.ts'
import { createCommand, updateCommand } from './source-write.ts'

export function sourceCommand(context: Context): Command {
  return group('source', 'webhook sources, which receive deliveries', [
    listOf(context),
    showOf(context, sources, 'show a source and the address to enter at the provider', (found, _now, client) => [
      ['source', found.id],
      ['name', found.name],
      ['provider', found.provider],
      ['team', found.team_path],
      ['enabled', found.enabled ? 'yes' : 'no'],
      ['payload URL', payloadUrlOf(client, found)],
      ['secret', found.credential_ref],
      ['repositories', found.repository_allowlist.join(', ')],
      ['triggers', String(found.connected_trigger_count)],
    ]).alias('get'),
    createCommand(context),
    updateCommand(context),
    changeOf(context, sources, {
      name: 'enable',
      description: 'accept deliveries again',
      body: () => ({ enabled: true }),
      done: ({ name }) => `The source ${name} is enabled.`,
    }),
    changeOf(context, sources, {
      name: 'disable',
      description: 'refuse deliveries: answer 404, as if the source did not exist',
      body: () => ({ enabled: false }),
      done: ({ name }) => `The source ${name} is disabled.`,
    }),
    deleteCommand(context),
    connectCommand(context),
    disconnectCommand(context),
    connectionsCommand(context),
    healthCommand(context),
    deliveriesCommand(context),
    deliveryCommand(context),
    replayCommand(context),
    commentCommandsCommand(context),
    recoveriesCommand(context),
    branchesCommand(context),
  ])
}

function listOf(context: Context): Command {
  return listCommand(context, {
    description: 'list the sources that you may see',
    operation: sourceRoutes.listSources,
    columns: [
      ['id', ({ id }) => id],
      ['name', ({ name }) => name],
      ['provider', ({ provider }) => provider],
      ['team', ({ team_path }) => team_path],
      ['', enabledCell],
      ['triggers', (each) => String(each.connected_trigger_count)],
    ],
  })
}

function deleteCommand(context: Context): Command {
  return confirmedCommand('delete', 'delete a source and its deliveries; refused while triggers use it')
    .argument('<source>', 'name or id')
    .option('--force', 'delete it even if triggers use it; those that name it match nothing afterwards')
    .action(async (given: string, options: ConfirmOptions & { force?: boolean }) => {
      const client = context.connect(options)
      const sourceID = await resolveSource(client, given)
      const connected = await listConnected(client, sourceID)
      await confirm(context, `Delete the source ${given}`, options, 'The deliveries of the source are deleted too.')
      try {
        const query = options.force ? {} : { if_unused: true }
        await client.call(sourceRoutes.deleteSource, { params: { sourceID }, query })
      } catch (error) {
        if (!(error instanceof ApiProblem) || error.code !== 'source.in_use') throw error
        const remedy = `signalbox source delete ${given} --force; triggers that name it match nothing from then on`
        throw new CommandFailed('conflict', error.message, remedy)
      }
      if (options.json) return context.printJson({ deleted: given })
      context.printNote(`The source ${given} is deleted; its deliveries cannot be read any more.`)
      for (const name of connected) context.printNote(`The trigger ${name} matches nothing from now on.`)
    })
}

async function listConnected(client: Client, sourceId: string): Promise<readonly string[]> {
  const triggers = await client.list(triggerRoutes.listTriggers, { query: { source_id: sourceId } })
  return triggers.map((each) => `${each.team_path}/${each.name}`)
}
