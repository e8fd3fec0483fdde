import type { Command } from 'commander'
import { anything } from '../client/shape.ts'
import { type ApiOptions, apiCommand, type Context, clientOf, printJson } from './context.ts'

/** `schema`: for editors, which complete and check a document by it. */
export function schemaCommand(context: Context, path: string, of: string): Command {
  return apiCommand('schema', `the JSON schema ${of}, for editors`).action(async (options: ApiOptions) =>
    printJson(context, await clientOf(context, options).get(path, anything)),
  )
}
