import type { Command } from 'commander'
import { secret } from '../client/answers.ts'
import type { Client } from '../client/client.ts'
import { anything } from '../client/shape.ts'
import { CommandFailed } from '../errors.ts'
import { ago } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context, clientOf, group, printJson, printNote } from './context.ts'
import { queryOfTeam, type TeamListOptions, teamOption } from './listing.ts'
import { deleteOf, listOf, type Resource, showOf } from './resource.ts'

type Secret = ReturnType<typeof secret>

const secrets: Resource<Secret> = {
  noun: 'secret',
  path: '/v1/secrets',
  item: secret,
  named: '<team path>/<name>, or id',
  nameOf: ({ team_path, name }) => `${team_path}/${name}`,
  lookupQuery: (identifier) => ({ team_path: splitIdentifier(identifier).teamPath }),
}

export function secretCommand(context: Context): Command {
  return group('secret', 'stored secrets; their values are never shown', [
    setCommand(context),
    listCommand(context),
    showOf(context, secrets, 'one secret: its versions and their use', (found, now) => [
      ['secret', secrets.nameOf(found)],
      ['id', found.id],
      ...(found.versions ?? []).map((each) => [`version ${each.version}`, describeVersion(each, now)] as const),
      ['updated', ago(found.updated_at, now)],
    ]),
    retireCommand(context),
    deleteOf(
      context,
      secrets,
      'delete a secret with all versions; what names it fails from then on',
      'Its value cannot be read back.',
    ),
  ])
}

function setCommand(context: Context): Command {
  return apiCommand('set', 'store a secret, or a new version of it; the value is read from the standard input')
    .argument('<secret>', '<team path>/<name>, such as acme/web/npm')
    .action(async (identifier: string, options: ApiOptions) => {
      const { surroundings } = context
      const { teamPath, name } = splitIdentifier(identifier)
      if (surroundings.stdinIsTerminal) printNote(context, 'Type the value, then Enter and Ctrl-D.')
      // One newline at the end is the terminal's or echo's, not the secret's.
      const value = (await surroundings.readStdin()).replace(/\r?\n$/, '')
      if (value === '')
        throw new CommandFailed(
          'usage',
          'The standard input is empty.',
          `printf %s "$VALUE" | signalbox secret set ${identifier}`,
        )
      const client = clientOf(context, options)
      const before = await findSecret(client, teamPath, name)
      const answer = await storeSecret(client, before, { teamPath, name, value })
      if (options.json) return printJson(context, answer)
      const { version, versions } = secret(answer, 'secret')
      printNote(context, `Secret ${identifier} is stored, version ${version}.`)
      const live = versions?.map((each) => each.version) ?? [version]
      if (live.length > 1) printNote(context, `Versions ${live.join(' and ')} are live; either is accepted.`)
      for (const each of before?.versions ?? []) {
        if (live.includes(each.version)) continue
        printNote(context, `Version ${each.version} is refused from now on; ${lastUse(each)}.`)
      }
    })
}

function describeVersion(each: { readonly created_at: string; readonly last_used_at: string | null }, now: number) {
  return `stored ${ago(each.created_at, now)}, ${lastUse(each)}`
}

function listCommand(context: Context): Command {
  return listOf<Secret, TeamListOptions>(context, secrets, {
    description: 'names and versions of the secrets that you may see',
    options: [teamOption()],
    query: queryOfTeam,
    columns: [
      ['secret', (each) => `${each.team_path}/${each.name}`],
      ['version', (each) => each.versions?.map(({ version }) => version).join(', ') ?? String(each.version)],
      ['updated', ({ updated_at }, now) => ago(updated_at, now)],
      ['last used', ({ last_used_at }, now) => ago(last_used_at, now) || 'never'],
    ],
  })
}

function retireCommand(context: Context): Command {
  return apiCommand('retire', 'end the older of two live versions: what is signed with it is refused from then on')
    .argument('<secret>', '<team path>/<name>, such as acme/web/npm')
    .option('--unused', 'only if it was not used since the one in use was stored')
    .action(async (identifier: string, options: ApiOptions & { unused?: boolean }) => {
      const { teamPath, name } = splitIdentifier(identifier)
      const client = clientOf(context, options)
      const found = await findSecret(client, teamPath, name)
      if (!found) throw new CommandFailed('notFound', `You see no secret ${identifier}.`)
      const [current, older] = found.versions ?? []
      if (!older) return printNote(context, `Only version ${found.version} of ${identifier} is live.`)
      if (options.unused && older.last_used_at !== null && current && older.last_used_at > current.created_at) {
        throw new CommandFailed(
          'conflict',
          `Version ${older.version} of ${identifier} was used after version ${current.version} was stored: ` +
            `${lastUse(older)}, version ${current.version} ${lastUse(current)}.`,
          // Deliveries between storing the new value and entering it count too, and always will.
          `once every sender has the new value: signalbox secret retire ${identifier}`,
        )
      }
      await client.request('DELETE', `/v1/secrets/${found.id}/versions/${older.version}`)
      return printNote(context, `Version ${older.version} of ${identifier} is retired.`)
    })
}

function lastUse({ last_used_at: usedAt }: { readonly last_used_at: string | null }): string {
  return usedAt === null ? 'never used' : `last used ${ago(usedAt, Date.now())}`
}

function splitIdentifier(identifier: string): { readonly teamPath: string; readonly name: string } {
  const at = identifier.lastIndexOf('/')
  if (at < 1) throw new CommandFailed('usage', `"${identifier}" is not <team path>/<name>, such as acme/web/npm.`)
  return { teamPath: identifier.slice(0, at), name: identifier.slice(at + 1) }
}

async function findSecret(client: Client, teamPath: string, name: string) {
  const known = await client.list('/v1/secrets', secret, 10_000, { query: { team_path: teamPath } })
  return known.find((each) => each.name === name && each.team_path === teamPath)
}

/** Creates the secret, or gives it a new version where it exists. Answers the secret as the API does. */
export async function setSecret(client: Client, teamPath: string, name: string, value: string): Promise<unknown> {
  return storeSecret(client, await findSecret(client, teamPath, name), { teamPath, name, value })
}

async function storeSecret(
  client: Client,
  existing: { readonly id: string } | undefined,
  { teamPath, name, value }: { readonly teamPath: string; readonly name: string; readonly value: string },
): Promise<unknown> {
  if (existing) return client.request('PUT', `/v1/secrets/${existing.id}`, { body: { value } }).then(({ body }) => body)
  return client.post('/v1/secrets', anything, { body: { team_path: teamPath, name, value } })
}
