import type { Operation } from '@signalbox/contracts/http/routes'
import type { Command } from 'commander'
import { type ApiOptions, apiCommand, type Context } from './context.ts'

/** `schema`: for editors, which complete and check a document by it. */
export function schemaCommand(context: Context, operation: Operation, of: string): Command {
  return apiCommand('schema', `print the JSON schema ${of}, for editors`).action(async (options: ApiOptions) =>
    context.printJson((await context.connect(options).exchange(operation, {})).body),
  )
}
