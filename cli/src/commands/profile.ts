import type { Executor } from '@signalbox/contracts/profiles'
import { profileRoutes } from '@signalbox/contracts/profiles/routes'
import { type Command, Option } from 'commander'
import { CommandFailed } from '../errors.ts'
import { ago } from '../output/durations.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { listCommand, queryOfTeam, teamOption } from './listing.ts'
import { collectList, collectPair, readAmount, readMegabytes, splitName } from './parse-arguments.ts'
import { deleteOf, showOf } from './resource.ts'

const { createProfile, listProfiles, getProfile, replaceProfile, deleteProfile } = profileRoutes

const profiles = { noun: 'profile', named: '<team path>/<name>, or id', get: getProfile, delete: deleteProfile }

export function profileCommand(context: Context): Command {
  return group('profile', 'profiles: what a task needs of a runner, and environment variables for it', [
    listCommand(context, {
      description: 'list the profiles that you may see',
      operation: listProfiles,
      options: [teamOption()],
      query: queryOfTeam,
      columns: [
        ['profile', ({ identifier }) => identifier],
        ['executor', ({ executor }) => executor],
        ['image', ({ image }) => image ?? ''],
        ['labels', ({ labels }) => labels.join(',')],
        ['changed', ({ updated_at }, now) => ago(updated_at, now)],
      ],
    }),
    showOf(context, profiles, 'show a profile', (found, now) => [
      ['profile', found.identifier],
      ['id', found.id],
      ['executor', found.executor],
      ['image', found.image ?? undefined],
      ['labels', found.labels.join(', ')],
      ['processors', found.resources.cpus?.toString()],
      ['memory', found.resources.memory_mb ? `${found.resources.memory_mb} MB` : undefined],
      ...Object.entries(found.environment),
      ['changed', ago(found.updated_at, now)],
    ]),
    createCommand(context),
    updateCommand(context),
    deleteOf(context, profiles, 'delete a profile; refused while a pipeline uses it'),
  ])
}

interface ProfileOptions extends ApiOptions {
  readonly executor?: Executor
  readonly image?: string
  readonly label?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cpus?: number
  readonly memoryMb?: number
}

function withProfileOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--executor <executor>', 'where tasks run (default: container with --image, else host)').choices([
        'host',
        'container',
      ]),
    )
    .option('--image <image>', 'image of the container, such as node:24-slim')
    .option('--label <labels>', 'the complete list of labels that a runner must offer, such as gpu,arm64', collectList)
    .option('--env <name=value>', 'an environment variable of every task; may be repeated, replaces all', collectPair)
    .option('--cpus <n>', 'the largest number of processors of a container', readAmount)
    .option('--memory-mb <n>', 'the largest memory of a container', readMegabytes)
}

function createCommand(context: Context): Command {
  return withProfileOptions(apiCommand('create', 'create a profile'))
    .argument('<profile>', '<team path>/<name>, such as acme/web/node24')
    .action(async (identifier: string, options: ProfileOptions) => {
      const [team_path, name] = splitName(identifier, '<team path>/<name>, such as acme/web/node24')
      const executor = options.image === undefined ? 'host' : 'container'
      const body = { executor, team_path, name, ...fieldsOf(options) } as const
      const made = await context.connect(options).call(createProfile, { body })
      if (options.json) return context.printJson(made)
      return context.printNote(`The profile ${made.identifier} is created.`)
    })
}

/**
 * The API takes the whole content: values that are not given stay as they were read, and a change in between is
 * refused.
 */
function updateCommand(context: Context): Command {
  return withProfileOptions(apiCommand('update', 'change the given fields of a profile'))
    .argument('<profile>', profiles.named)
    .action(async (given: string, options: ProfileOptions) => {
      const fields = fieldsOf(options)
      if (Object.keys(fields).length === 0) throw new CommandFailed('usage', 'No option says what to change.')
      const client = context.connect(options)
      const params = { id: given }
      const { headers, body: before } = await client.exchange(getProfile, { params })
      const tag = headers.get('etag')
      const changed = await client.call(replaceProfile, {
        params,
        // Limits that are not given stay, too.
        body: { ...before, ...fields, resources: { ...before.resources, ...fields.resources } },
        ...(tag === null ? {} : { headers: { 'if-match': tag } }),
      })
      if (options.json) return context.printJson(changed)
      return context.printNote(`The profile ${changed.identifier} is changed.`)
    })
}

function fieldsOf({ executor, image, label, env, cpus, memoryMb }: ProfileOptions) {
  const resources = {
    ...(cpus === undefined ? {} : { cpus }),
    ...(memoryMb === undefined ? {} : { memory_mb: memoryMb }),
  }
  return {
    ...(executor === undefined ? {} : { executor }),
    ...(image === undefined ? {} : { image }),
    ...(label === undefined ? {} : { labels: label }),
    ...(env === undefined ? {} : { environment: env }),
    ...(Object.keys(resources).length === 0 ? {} : { resources }),
  }
}
