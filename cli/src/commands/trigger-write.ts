import { triggerRoutes } from '@signalbox/contracts/triggers/routes'
import type { Command } from 'commander'
import { rawJson } from '../client/operations.ts'
import { CommandFailed } from '../errors.ts'
import { apiCommand, type Context } from './context.ts'
import { readTriggerFields, type TriggerOptions, withTriggerOptions } from './trigger-fields.ts'
import { resolveTrigger } from './trigger-lookup.ts'

const NEEDED = {
  name: 'a name',
  team_path: '--team',
  pipeline: '--pipeline',
  scope: '--scope',
  repositories: '--repository',
}

export function createCommand(context: Context): Command {
  return withTriggerOptions(apiCommand('create', 'create a trigger'))
    .argument('[name]', 'unique in its team')
    .action(async (name: string | undefined, options: TriggerOptions) => {
      const fields = await readTriggerFields(context, options)
      const body: Record<string, unknown> = { events: ['push'], ...fields, ...(name === undefined ? {} : { name }) }
      const missing = Object.entries(NEEDED).flatMap(([field, flag]) => (body[field] === undefined ? [flag] : []))
      if (missing.length > 0) throw new CommandFailed('usage', `A trigger needs ${missing.join(', ')}.`)
      const made = await context.connect(options).call(triggerRoutes.createTrigger, { raw: rawJson(body) })
      if (options.json) return context.printJson(made)
      return context.printNote(`Trigger ${made.team_path}/${made.name} is created; it starts ${made.pipeline}.`)
    })
}

export function updateCommand(context: Context): Command {
  return withTriggerOptions(apiCommand('update', 'change the given fields of a trigger; you become its owner'))
    .argument('<trigger>', 'id, or <team path>/<name>')
    .option('--name <name>', 'another name')
    .action(async (given: string, options: TriggerOptions & { name?: string }) => {
      const fields = await readTriggerFields(context, options)
      const body = { ...fields, ...(options.name === undefined ? {} : { name: options.name }) }
      if (Object.keys(body).length === 0) throw new CommandFailed('usage', 'No option says what to change.')
      const client = context.connect(options)
      const params = { id: await resolveTrigger(client, given) }
      const changed = await client.call(triggerRoutes.updateTrigger, { params, raw: rawJson(body) })
      if (options.json) return context.printJson(changed)
      return context.printNote(`Trigger ${changed.team_path}/${changed.name} is changed.`)
    })
}
