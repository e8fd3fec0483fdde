import { mcpRoutes } from '@signalbox/contracts/mcp/routes'
import type { Command } from 'commander'
import { CommandFailed, messageOf } from '../errors.ts'
import { exitCodeOfStatus } from '../exit-codes.ts'
import { callTool } from '../mcp/ask.ts'
import { ago } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { type ListOptions, listCommand } from './listing.ts'
import { configCommand } from './mcp-config.ts'
import { serveCommand } from './mcp-serve.ts'

/** `mcp`: what agents are offered, and how a client reaches it. */
export function mcpCommand(context: Context): Command {
  return group('mcp', 'tools for agents: connect a client, look at the tools, call one', [
    configCommand(context),
    toolsCommand(context),
    callsCommand(context),
    callCommand(context),
    serveCommand(context),
  ])
}

interface ToolsOptions extends ApiOptions {
  readonly asToken?: string
}

function toolsCommand(context: Context): Command {
  return apiCommand('tools', 'list the tools that agents are offered with your token')
    .option('--as-token <id>', 'as this token sees them: one of yours, or one whose owner you manage')
    .action(async ({ asToken, ...options }: ToolsOptions) => {
      const query = { token_id: asToken }
      const answer = await context.connect(options).call(mcpRoutes.listMcpTools, { query })
      if (options.json) return context.printJson(answer)
      context.printTable(
        ['tool', 'family', 'does', 'where', 'permissions'],
        answer.tools.map(({ name, family, does, places, permissions }) => {
          return [name, family, does, places.join(', '), permissions.join(', ')]
        }),
      )
      for (const { sentence, tools } of answer.hidden) {
        context.printNote(`Not offered: ${tools.join(', ')}. ${sentence}`, 'quiet')
      }
    })
}

interface CallsOptions extends ListOptions {
  readonly token?: string
}

function callsCommand(context: Context): Command {
  const calls = listCommand<typeof mcpRoutes.listMcpCalls, CallsOptions>(context, {
    description: 'list calls of tools of the last day: yours, or all with audit.read',
    operation: mcpRoutes.listMcpCalls,
    columns: [
      ['tool', ({ tool }) => tool],
      ['outcome', ({ outcome }) => outcome],
      ['by', ({ subject }) => subject],
      ['client', ({ client }) => client ?? ''],
      ['bytes', ({ bytes }) => String(bytes)],
      ['when', ({ occurred_at: at }, now) => ago(at, now)],
    ],
    query: ({ token }) => ({ token_id: token }),
  })
  return calls.name('calls').option('--token <id>', 'only those with this token')
}

function callCommand(context: Context): Command {
  return apiCommand('call', 'call a tool as an agent does, and print what an agent would read')
    .argument('<tool>', 'its name, such as explain_run')
    .argument('[json]', 'its arguments, such as {"run_id":"…"}', '{}')
    .action(async (tool: string, json: string, options: ApiOptions) => {
      const { result, texts, refusedWith } = await callTool(context.connect(options), tool, readObject(json))
      if (refusedWith !== undefined) context.finish(exitCodeOfStatus(refusedWith))
      if (options.json) return context.printJson(result)
      for (const text of texts) context.printText(text)
    })
}

function readObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch (error) {
    throw new CommandFailed('usage', `The arguments are no JSON: ${messageOf(error)}.`)
  }
  throw new CommandFailed('usage', 'The arguments of a tool are a JSON object, such as {"run_id":"…"}.')
}
