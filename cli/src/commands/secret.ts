import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import type { Secret } from '@signalbox/contracts/secrets'
import { secretRoutes } from '@signalbox/contracts/secrets/routes'
import { sourceRoutes } from '@signalbox/contracts/sources/routes'
import type { Command } from 'commander'
import type { Client } from '../client/client.ts'
import { CommandFailed } from '../errors.ts'
import { ago } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { listCommand, queryOfTeam, teamOption } from './listing.ts'
import { splitName } from './parse-arguments.ts'
import { deleteOf, showOf } from './resource.ts'

const secrets = {
  noun: 'secret',
  named: '<team path>/<name>, or id',
  lookUp: (client: Client, identifier: string) => findSecrets(client, splitIdentifier(identifier)),
  get: secretRoutes.getSecret,
  delete: secretRoutes.deleteSecret,
}

export function secretCommand(context: Context): Command {
  return group('secret', 'stored secrets; their values are never shown', [
    setCommand(context),
    listOf(context),
    showOf(context, secrets, 'show the versions of a secret and their last use', (found, now) => [
      ['secret', identifierOf(found)],
      ['id', found.id],
      ...found.versions.map((each) => [`version ${each.version}`, describeVersion(each, now)] as const),
      ['updated', ago(found.updated_at, now)],
    ]),
    usesCommand(context),
    retireCommand(context),
    deleteOf(
      context,
      secrets,
      'delete a secret and all versions; runs that use it fail afterwards',
      'The value cannot be read back.',
    ),
  ])
}

function setCommand(context: Context): Command {
  return apiCommand('set', 'store a secret or a new version of it; reads the value from the standard input')
    .argument('<secret>', '<team path>/<name>, such as acme/web/npm')
    .action(async (identifier: string, options: ApiOptions) => {
      const { surroundings } = context
      const place = splitIdentifier(identifier)
      if (surroundings.stdinIsTerminal) context.printNote('Type the value, then Enter and Ctrl-D.')
      // One newline at the end is the terminal's or echo's, not the secret's.
      const value = (await surroundings.readStdin()).replace(/\r?\n$/, '')
      if (value === '')
        throw new CommandFailed(
          'usage',
          'The standard input is empty.',
          `printf %s "$VALUE" | signalbox secret set ${identifier}`,
        )
      const client = context.connect(options)
      const [before] = await findSecrets(client, place)
      const stored = await storeSecret(client, before, place, value)
      if (options.json) return context.printJson(stored)
      context.printNote(`Secret ${identifier} is stored, version ${stored.version}.`)
      const live = stored.versions.map((each) => each.version)
      if (live.length > 1) context.printNote(`Versions ${live.join(' and ')} are live; either is accepted.`)
      for (const each of before?.versions ?? []) {
        if (live.includes(each.version)) continue
        context.printNote(`Version ${each.version} is refused from now on; ${lastUse(each)}.`)
      }
    })
}

function describeVersion(each: { readonly created_at: string; readonly last_used_at: string | null }, now: number) {
  return `stored ${ago(each.created_at, now)}, ${lastUse(each)}`
}

function identifierOf({ team_path, name }: Secret): string {
  return `${team_path}/${name}`
}

function listOf(context: Context): Command {
  return listCommand(context, {
    description: 'list names and versions of the secrets that you may see',
    operation: secretRoutes.listSecrets,
    options: [teamOption()],
    query: queryOfTeam,
    columns: [
      ['secret', identifierOf],
      ['version', ({ versions }) => versions.map(({ version }) => version).join(', ')],
      ['updated', ({ updated_at }, now) => ago(updated_at, now)],
      ['last used', ({ last_used_at }, now) => ago(last_used_at, now) || 'never'],
    ],
  })
}

function usesCommand(context: Context): Command {
  return apiCommand('uses', 'list the pipelines and webhook sources that use a secret, of those that you may see')
    .argument('<secret>', '<team path>/<name>, such as acme/web/npm')
    .action(async (identifier: string, options: ApiOptions) => {
      const client = context.connect(options)
      const { team_path, name } = splitIdentifier(identifier)
      const [secret, credential_ref] = [`${team_path}/${name}`, `secret:${team_path}/${name}`]
      const pipelines = await client.list(pipelineRoutes.listPipelines, { query: { secret } })
      const sources = await client.list(sourceRoutes.listSources, { query: { credential_ref } })
      if (options.json) return context.printJson({ pipelines, sources })
      if (pipelines.length + sources.length === 0) return context.printNote(`You see nothing that uses ${secret}.`)
      const rows = [
        ...pipelines.map((each) => ['pipeline', each.identifier, (each.named_at ?? []).join(', ')]),
        ...sources.map((each) => [
          'source',
          each.name,
          [
            ...(each.credential_ref === credential_ref ? ['credential_ref'] : []),
            ...(each.checkout_credential_ref === credential_ref ? ['checkout_credential_ref'] : []),
          ].join(', '),
        ]),
      ]
      return context.printTable(['kind', 'name', 'at'], rows)
    })
}

function retireCommand(context: Context): Command {
  return apiCommand('retire', 'retire the older of two live versions: signatures made with it are refused afterwards')
    .argument('<secret>', '<team path>/<name>, such as acme/web/npm')
    .option('--unused', 'only if it was not used since the current version was stored')
    .action(async (identifier: string, options: ApiOptions & { unused?: boolean }) => {
      const client = context.connect(options)
      const [found] = await findSecrets(client, splitIdentifier(identifier))
      if (!found) throw new CommandFailed('notFound', `You see no secret ${identifier}.`)
      const [current, older] = found.versions
      if (!older) return context.printNote(`Only version ${found.version} of ${identifier} is live.`)
      if (options.unused && older.last_used_at !== null && current && older.last_used_at > current.created_at) {
        throw new CommandFailed(
          'conflict',
          `Version ${older.version} of ${identifier} was used after version ${current.version} was stored: ` +
            `${lastUse(older)}, version ${current.version} ${lastUse(current)}.`,
          // Deliveries between storing the new value and entering it count too, and always will.
          `once every sender has the new value: signalbox secret retire ${identifier}`,
        )
      }
      const { version } = older
      await client.call(secretRoutes.retireSecretVersion, { params: { id: found.id, version } })
      return context.printNote(`Version ${version} of ${identifier} is retired.`)
    })
}

function lastUse({ last_used_at: usedAt }: { readonly last_used_at: string | null }): string {
  return usedAt === null ? 'never used' : `last used ${ago(usedAt, Date.now())}`
}

/** The name of a secret: its owning team, and its name there. */
type Place = Pick<Secret, 'team_path' | 'name'>

function splitIdentifier(identifier: string): Place {
  const [team_path, name] = splitName(identifier, '<team path>/<name>, such as acme/web/npm')
  return { team_path, name }
}

async function findSecrets(client: Client, { team_path, name }: Place): Promise<readonly Secret[]> {
  const known = await client.list(secretRoutes.listSecrets, { query: { team_path } })
  return known.filter((each) => each.name === name && each.team_path === team_path)
}

/** Creates the secret, or gives it a new version where it exists. */
export async function setSecret(client: Client, place: Place, value: string): Promise<Secret> {
  const [existing] = await findSecrets(client, place)
  return storeSecret(client, existing, place, value)
}

async function storeSecret(client: Client, existing: Secret | undefined, place: Place, value: string): Promise<Secret> {
  if (!existing) return client.call(secretRoutes.createSecret, { body: { ...place, value } })
  return client.call(secretRoutes.replaceSecret, { params: { id: existing.id }, body: { value } })
}
