import { headersOf } from '@signalbox/contracts/mcp/clients'
import { mcpRoutes } from '@signalbox/contracts/mcp/routes'
import type { Command } from 'commander'
import { bridge } from '../mcp/bridge.ts'
import { splitLines } from '../mcp/split-lines.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { type NarrowingOptions, withNarrowing } from './mcp-config.ts'

interface ServeOptions extends ApiOptions, NarrowingOptions {}

/** A signal ends the process as it is: the client is gone, and nothing has to be put in order. */
export function serveCommand(context: Context): Command {
  const command = apiCommand(
    'serve',
    'bridge a client that speaks over stdio to the control plane; it ends with its input',
  )
  return withNarrowing(command).action(async ({ toolsets, readOnly = false, ...options }: ServeOptions) => {
    const client = context.connect(options)
    const { surroundings } = context
    const own = { ...headersOf({ toolsets, readOnly }), accept: 'application/json, text/event-stream' }
    await bridge({
      lines: splitLines(surroundings.stdin()),
      write: (message) => surroundings.out.write(`${message}\n`),
      post: (message, headers, signal) =>
        client.post(mcpRoutes.callMcp, message, { headers: { ...own, ...headers }, signal }),
    })
  })
}
