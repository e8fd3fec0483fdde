import { CLIENTS, type Client, configOf } from '@signalbox/contracts/mcp/clients'
import { type Command, Option } from 'commander'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { collectList } from './parse-arguments.ts'

/** The options by which a client narrows what it is offered. */
export interface NarrowingOptions {
  readonly toolsets?: readonly string[]
  readonly readOnly?: boolean
}

export function withNarrowing(command: Command): Command {
  return command
    .option('--toolsets <names...>', 'only tools of these families, such as runs,logs', collectList)
    .option('--read-only', 'no tools that plan or confirm a write')
}

interface ConfigOptions extends ApiOptions, NarrowingOptions {
  readonly client: Client
}

export function configCommand(context: Context): Command {
  const command = apiCommand('config', 'print a ready configuration for a client; it never holds the token')
  return withNarrowing(command)
    .addOption(new Option('--client <name>', 'the client').choices(Object.keys(CLIENTS)).default('generic'))
    .action(({ client, toolsets, readOnly = false, ...options }: ConfigOptions) => {
      const { url } = context.connect(options)
      const { place, text, token } = configOf(client, { url, toolsets, readOnly })
      if (options.json) return context.printJson({ client, place, text, token })
      context.printText(text)
      context.printNote(`Put this into ${place}. ${token}`, 'quiet')
      if (isInTheOpen(url)) {
        context.printNote('The token travels in the open: use https for an address that is not this machine.', 'warn')
      }
    })
}

function isInTheOpen(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(?:localhost|127\.|\[::1\])/.test(hostname)
}
