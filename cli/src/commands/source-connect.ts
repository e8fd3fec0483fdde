import { setTimeout as pause } from 'node:timers/promises'
import type { Connection, ConnectionResult } from '@signalbox/contracts/sources'
import { connectionRoutes, sourceRoutes } from '@signalbox/contracts/sources/routes'
import type { Command } from 'commander'
import type { Client } from '../client/client.ts'
import { CommandFailed } from '../errors.ts'
import { exitCode } from '../exit-codes.ts'
import { ago } from '../output/durations.ts'
import type { Tone } from '../output/style.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'
import { printItems } from './listing.ts'
import { readSeconds } from './parse-arguments.ts'
import { resolveSource } from './source-lookup.ts'

/** Most providers send a test within a second. */
const WAIT_S = 20
const POLL_MS = 500

/** The source and the repository, for each route about a connection. */
interface ConnectionCall {
  readonly params: { readonly sourceID: string }
  readonly body: { readonly repository: string; readonly token: string | undefined }
}

interface TokenOptions extends ApiOptions {
  readonly tokenStdin?: boolean
}

interface ConnectOptions extends TokenOptions {
  readonly check?: boolean
  readonly wait?: number
}

export function connectCommand(context: Context): Command {
  return asking('connect', 'create or repair the webhook at the provider, and wait for its first delivery')
    .option('--check', 'only report differences; change nothing at the provider')
    .option('--wait <seconds>', `for the first delivery; 0: not at all (default: ${WAIT_S})`, readSeconds)
    .action(async (given: string, repository: string | undefined, options: ConnectOptions) => {
      const client = context.connect(options)
      const request = await readRequest(context, client, options, [given, repository])
      const connection = options.check
        ? await client.call(connectionRoutes.checkConnection, request)
        : await connect(context, client, request, options)
      if (options.json) context.printJson(connection)
      else printConnection(context, connection)
      if (connection.state === 'broken') context.finish(exitCode('unhealthy'))
    })
}

async function connect(
  context: Context,
  client: Client,
  request: ConnectionCall,
  { json, wait }: ConnectOptions,
): Promise<ConnectionResult> {
  const made = await client.call(connectionRoutes.connectRepository, request)
  if (!json) context.printNote(tellDone(made))
  return waitForDelivery(client, request.params, made, wait ?? WAIT_S)
}

export function disconnectCommand(context: Context): Command {
  return asking('disconnect', 'remove every webhook of a repository that sends to this source').action(
    async (given: string, repository: string | undefined, options: TokenOptions) => {
      const client = context.connect(options)
      const request = await readRequest(context, client, options, [given, repository])
      const done = await client.call(connectionRoutes.disconnectRepository, request)
      if (options.json) return context.printJson(done)
      if (done.removed === 0) return context.printNote(`${done.repository} had no webhook of this source.`)
      return context.printNote(`The webhook of ${done.repository} is removed.`)
    },
  )
}

export function connectionsCommand(context: Context): Command {
  return apiCommand('connections', 'list the webhooks of a source, without a request to the provider')
    .argument('<source>', 'name or id')
    .action(async (given: string, options: ApiOptions) => {
      const client = context.connect(options)
      const params = { sourceID: await resolveSource(client, given) }
      const connections = await client.call(connectionRoutes.listConnections, { params })
      if (options.json) return context.printJson(connections)
      return printItems(context, connections, [
        ['repository', ({ repository }) => repository],
        ['state', ({ state }) => ({ text: state, tone: toneOf(state) })],
        ['webhook', ({ hook_id }) => hook_id ?? ''],
        ['checked', ({ checked_at }, now) => ago(checked_at, now)],
        ['reason', ({ state, reason }) => (state === 'active' ? '' : reason)],
      ])
    })
}

function asking(name: string, description: string): Command {
  return apiCommand(name, description)
    .argument('<source>', 'name or id')
    .argument('[repository]', '<owner>/<name>; optional if the source admits only one repository')
    .option(
      '--token-stdin',
      "read a token of the provider from the standard input; it is not stored (default: the source's)",
    )
}

async function readRequest(
  context: Context,
  client: Client,
  { tokenStdin }: TokenOptions,
  [given, named]: readonly [source: string, repository: string | undefined],
): Promise<ConnectionCall> {
  const token = tokenStdin ? await readToken(context) : undefined
  const params = { sourceID: await resolveSource(client, given) }
  return { params, body: { repository: named ?? (await onlyRepository(client, params, given)), token } }
}

async function readToken({ surroundings }: Context): Promise<string> {
  const token = (await surroundings.readStdin()).replace(/\r?\n$/, '')
  if (token !== '') return token
  throw new CommandFailed('usage', 'The standard input is empty: --token-stdin reads the token from it.')
}

async function onlyRepository(client: Client, params: ConnectionCall['params'], given: string): Promise<string> {
  const [only, ...others] = (await client.call(sourceRoutes.getSource, { params })).repository_allowlist
  if (only !== undefined && others.length === 0 && !/[*!]/.test(only)) return only
  throw new CommandFailed(
    'usage',
    `The source ${given} admits more than one repository: name the one to connect.`,
    `signalbox source connect ${given} acme/shop`,
  )
}

/** The connection as it is when a delivery came, or when the time is over. */
async function waitForDelivery(
  client: Client,
  params: ConnectionCall['params'],
  made: ConnectionResult,
  seconds: number,
): Promise<ConnectionResult> {
  const until = Date.now() + seconds * 1000
  let last = made
  while (last.state === 'pending' && Date.now() < until) {
    await pause(POLL_MS)
    const known = await client.call(connectionRoutes.listConnections, { params })
    const found = known.find(({ repository }) => repository === made.repository)
    if (found === undefined) break
    last = { ...made, ...found }
  }
  return last
}

function tellDone({ repository, done, repaired }: ConnectionResult): string {
  switch (done) {
    case 'created':
      return `The webhook of ${repository} is created.`
    case 'unchanged':
      return `The webhook of ${repository} is as it must be.`
    default:
      return `The webhook of ${repository} is repaired: ${repaired.join(', ')}.`
  }
}

function printConnection(context: Context, found: Connection): void {
  const now = Date.now()
  context.printFields([
    ['repository', found.repository],
    ['webhook', found.hook_id ?? 'none'],
    ['state', { text: found.state, tone: toneOf(found.state) }],
    ['', found.reason],
    ['first delivery', ago(found.first_delivery_at, now) || 'none yet'],
  ])
}

function toneOf(state: string): Tone {
  switch (state) {
    case 'active':
      return 'good'
    case 'broken':
      return 'bad'
    default:
      return 'warn'
  }
}
