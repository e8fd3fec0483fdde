import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { source } from '../client/answers.ts'
import { type Client, segment } from '../client/client.ts'
import { anything, list } from '../client/shape.ts'
import { connection, connectionResult, disconnection } from '../client/source-answers.ts'
import { CommandFailed } from '../errors.ts'
import { exitCode } from '../exit-codes.ts'
import { ago } from '../output/durations.ts'
import type { Tone } from '../output/style.ts'
import {
  type ApiOptions,
  apiCommand,
  type Context,
  clientOf,
  printFields,
  printJson,
  printNote,
  printTable,
} from './context.ts'
import { readSeconds } from './parse-arguments.ts'
import { resolveSource } from './source-lookup.ts'

/** Most providers send a test within a second. */
const WAIT_S = 20
const POLL_MS = 500

interface TokenOptions extends ApiOptions {
  readonly tokenStdin?: boolean
}

interface ConnectOptions extends TokenOptions {
  readonly check?: boolean
  readonly wait?: number
}

export function connectCommand(context: Context): Command {
  return asking('connect', 'make or repair the webhook at the provider, and wait for its first delivery')
    .option('--check', 'only ask the provider what differs; nothing changes there')
    .option('--wait <seconds>', `for the first delivery; 0: not at all (default: ${WAIT_S})`, readSeconds)
    .action(async (given: string, repository: string | undefined, options: ConnectOptions) => {
      const client = clientOf(context, options)
      const { path, body } = await readRequest(context, client, options, [given, repository])
      const answer = await client.post(options.check ? `${path}/check` : path, anything, { body })
      if (!options.check && !options.json) printNote(context, tellDone(connectionResult(answer, 'connection')))
      const last = options.check ? answer : await waitForDelivery(client, path, answer, options.wait ?? WAIT_S)
      const found = connection(last, 'connection')
      if (options.json) printJson(context, last)
      else printConnection(context, found)
      if (found.state === 'broken') context.finish(exitCode('unhealthy'))
    })
}

export function disconnectCommand(context: Context): Command {
  return asking('disconnect', 'remove every webhook of a repository that sends to the source').action(
    async (given: string, repository: string | undefined, options: TokenOptions) => {
      const client = clientOf(context, options)
      const { path, body } = await readRequest(context, client, options, [given, repository])
      const answer = await client.post(`${path}/disconnect`, anything, { body })
      if (options.json) return printJson(context, answer)
      const done = disconnection(answer, 'answer')
      if (done.removed === 0) return printNote(context, `${done.repository} had no webhook of this source.`)
      return printNote(context, `The webhook of ${done.repository} is removed.`)
    },
  )
}

export function connectionsCommand(context: Context): Command {
  return apiCommand('connections', 'the webhooks that were made for a source; no provider is asked')
    .argument('<source>', 'name or id')
    .action(async (given: string, options: ApiOptions) => {
      const client = clientOf(context, options)
      const answer = await client.get(await pathOf(client, given), anything)
      if (options.json) return printJson(context, answer)
      const now = Date.now()
      const rows = list(connection)(answer, 'connections').map((each) => [
        each.repository,
        { text: each.state, tone: toneOf(each.state) },
        each.hook_id ?? '',
        ago(each.checked_at, now),
        each.state === 'active' ? '' : each.reason,
      ])
      return printTable(context, ['repository', 'state', 'webhook', 'checked', 'reason'], rows)
    })
}

function asking(name: string, description: string): Command {
  return apiCommand(name, description)
    .argument('<source>', 'name or id')
    .argument('[repository]', '<owner>/<name>; may be left out where the source admits one only')
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
): Promise<{ readonly path: string; readonly body: object }> {
  const token = tokenStdin ? await readToken(context) : undefined
  const path = await pathOf(client, given)
  const repository = named ?? (await onlyRepository(client, path.replace(/\/connections$/, ''), given))
  return { path, body: token === undefined ? { repository } : { repository, token } }
}

async function pathOf(client: Client, given: string): Promise<string> {
  return `/v1/git-webhook-sources/${segment(await resolveSource(client, given))}/connections`
}

async function readToken({ surroundings }: Context): Promise<string> {
  const token = (await surroundings.readStdin()).replace(/\r?\n$/, '')
  if (token !== '') return token
  throw new CommandFailed('usage', 'The standard input is empty: --token-stdin reads the token from it.')
}

async function onlyRepository(client: Client, path: string, given: string): Promise<string> {
  const [only, ...others] = source(await client.get(path, anything), 'source').repository_allowlist
  if (only !== undefined && others.length === 0 && !/[*!]/.test(only)) return only
  throw new CommandFailed(
    'usage',
    `The source ${given} admits more than one repository: name the one to connect.`,
    `signalbox source connect ${given} acme/shop`,
  )
}

/** The connection as it is when a delivery came, or when the time is over. */
async function waitForDelivery(client: Client, path: string, made: unknown, seconds: number): Promise<unknown> {
  const { repository, state, done, repaired } = connectionResult(made, 'connection')
  const until = Date.now() + seconds * 1000
  let last: unknown = made
  let now = state
  while (now === 'pending' && Date.now() < until) {
    await pause(POLL_MS)
    const known = list(anything)(await client.get(path, anything), 'connections')
    const found = known.find((each) => connection(each, 'connection').repository === repository)
    if (found === undefined) break
    last = { ...Object(found), done, repaired }
    now = connection(found, 'connection').state
  }
  return last
}

function tellDone({ repository, done, repaired }: ReturnType<typeof connectionResult>): string {
  switch (done) {
    case 'created':
      return `The webhook of ${repository} is made.`
    case 'unchanged':
      return `The webhook of ${repository} is as it must be.`
    default:
      return `The webhook of ${repository} is repaired: ${repaired.join(', ')}.`
  }
}

function printConnection(context: Context, found: ReturnType<typeof connection>): void {
  const now = Date.now()
  printFields(context, [
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
