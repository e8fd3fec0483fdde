import { sourceRoutes } from '@signalbox/contracts/sources/routes'
import type { Command } from 'commander'
import { rawJson } from '../client/operations.ts'
import { CommandFailed } from '../errors.ts'
import { apiCommand, type Context } from './context.ts'
import { readSourceFields, type SourceOptions, withSourceOptions } from './source-fields.ts'
import { payloadUrlOf, resolveSource } from './source-lookup.ts'

const NEEDED = { team_path: '--team', credential_ref: '--secret', repository_allowlist: '--repository' }

export function createCommand(context: Context): Command {
  return withSourceOptions(apiCommand('create', 'create a source, and print the address to enter at the provider'))
    .argument('<name>', 'unique among all sources')
    .action(async (name: string, options: SourceOptions) => {
      const fields = readSourceFields(options)
      const missing = Object.entries(NEEDED).flatMap(([field, flag]) => (fields[field] === undefined ? [flag] : []))
      if (missing.length > 0) throw new CommandFailed('usage', `A source needs ${missing.join(', ')}.`)
      const client = context.connect(options)
      const body = { provider: 'github', ...fields, name }
      const made = await client.call(sourceRoutes.createSource, { raw: rawJson(body) })
      if (options.json) return context.printJson(made)
      context.printFields([
        ['source', made.id],
        ['payload URL', payloadUrlOf(client, made)],
        ['content type', 'application/json'],
        ['secret', `the value of ${options.secret}`],
      ])
      for (const note of made.notes) context.printNote(note)
    })
}

export function updateCommand(context: Context): Command {
  return withSourceOptions(apiCommand('update', 'change the given fields of a source; its address stays the same'))
    .argument('<source>', 'name or id')
    .option('--name <name>', 'another name')
    .action(async (given: string, options: SourceOptions & { name?: string }) => {
      const body = { ...readSourceFields(options), ...(options.name === undefined ? {} : { name: options.name }) }
      if (Object.keys(body).length === 0) throw new CommandFailed('usage', 'No option says what to change.')
      const client = context.connect(options)
      const params = { sourceID: await resolveSource(client, given) }
      const changed = await client.call(sourceRoutes.updateSource, { params, raw: rawJson(body) })
      if (options.json) return context.printJson(changed)
      return context.printNote(`The source ${changed.name} is changed.`)
    })
}
