import type { Installation, InstallationTeams } from '@signalbox/contracts/git-apps'
import { installationRoutes } from '@signalbox/contracts/git-apps/routes'
import type { Command } from 'commander'
import { CommandFailed } from '../errors.ts'
import { exitCode } from '../exit-codes.ts'
import { ago } from '../output/durations.ts'
import type { Tone } from '../output/style.ts'
import { type ConfirmOptions, confirm, confirmedCommand } from './confirm.ts'
import type { Context } from './context.ts'
import { type ProviderOptions, providerCommand, withProvider } from './git-app-fields.ts'
import { type Columns, type ListOptions, printList, withLimit } from './listing.ts'

/** The commands about installations: what is recorded, and who may use it. */
export function installationCommands(context: Context): readonly Command[] {
  return [
    listOf(context),
    showOf(context),
    addOf(context),
    forgetOf(context),
    verifyOf(context),
    refreshOf(context),
    teamsOf(context),
  ]
}

function listOf(context: Context): Command {
  return withLimit(providerCommand('installations', 'list the installations of an app, newest first')).action(
    async (options: ProviderOptions & ListOptions) => {
      const params = { provider: options.provider }
      const print = { operation: installationRoutes.listInstallations, params, columns: COLUMNS }
      return printList(context, context.connect(options), print, options)
    },
  )
}

export const TONES: Readonly<Record<Installation['status'], Tone>> = {
  active: 'good',
  unverified: 'warn',
  permissions_outdated: 'warn',
  suspended: 'bad',
  removed: 'bad',
}

const COLUMNS: Columns<Installation> = [
  ['id', ({ installation_id }) => installation_id],
  ['account', ({ account }) => account ?? ''],
  ['status', ({ status }) => ({ text: status, tone: TONES[status] })],
  ['repositories', ({ repository_count }) => String(repository_count)],
  ['teams', ({ teams }) => teams.map(({ team_path }) => team_path).join(', ')],
  ['refreshed', ({ refreshed_at }, now) => ago(refreshed_at, now)],
  ['reason', ({ reason }) => reason ?? ''],
]

/** A command about one installation. */
function ofOne(name: string, description: string): Command {
  return providerCommand(name, description).argument('<installation>', 'its id at the provider')
}

function paramsOf({ provider }: ProviderOptions, installationID: string) {
  return { provider, installationID }
}

function showOf(context: Context): Command {
  return ofOne('installation', 'show an installation: its rights, and the teams that may use it').action(
    async (id: string, options: ProviderOptions) => {
      const client = context.connect(options)
      const found = await client.call(installationRoutes.getInstallation, { params: paramsOf(options, id) })
      if (options.json) return context.printJson(found)
      return printInstallation(context, found)
    },
  )
}

function printInstallation(context: Context, found: Installation): void {
  const now = Date.now()
  const rights = Object.entries(found.permissions).map(([permission, access]) => `${permission}: ${access}`)
  context.printFields([
    ['installation', found.installation_id],
    ['account', found.account ?? ''],
    ['status', { text: found.status, tone: TONES[found.status] }],
    ['reason', found.reason ?? ''],
    ['repositories', `${found.repository_count}${found.repository_selection === 'selected' ? ', selected' : ''}`],
    ['permissions', rights.join(', ')],
    ...found.missing_permissions.map(
      ({ permission, access, feature }) => ['lacks', `${permission}: ${access}, ${feature}`] as const,
    ),
    ...found.teams.map(({ team_path, repositories }) => ['team', `${team_path}: ${repositories.join(', ')}`] as const),
    ['page', found.html_url ?? ''],
    ['verified', ago(found.last_verified_at, now)],
    ['refreshed', ago(found.refreshed_at, now)],
  ])
}

function addOf(context: Context): Command {
  return ofOne('add', 'record an installation by its id, as one that was made at the provider').action(
    async (id: string, options: ProviderOptions) => {
      const client = context.connect(options)
      const params = { provider: options.provider }
      const made = await client.call(installationRoutes.createInstallation, { params, body: { installation_id: id } })
      if (options.json) return context.printJson(made)
      return printInstallation(context, made)
    },
  )
}

function forgetOf(context: Context): Command {
  return withProvider(confirmedCommand('forget', 'forget an installation; it stays at the provider'))
    .argument('<installation>', 'its id at the provider')
    .action(async (id: string, options: ProviderOptions & ConfirmOptions) => {
      const client = context.connect(options)
      await confirm(context, `Forget the installation ${id}`, options, 'Nothing acts for it any more.')
      await client.call(installationRoutes.deleteInstallation, { params: paramsOf(options, id) })
      if (options.json) return context.printJson({ deleted: id })
      return context.printNote(`The installation ${id} is forgotten; it stays at the provider.`)
    })
}

function verifyOf(context: Context): Command {
  return ofOne('verify', 'ask the provider for a token of an installation, and say whether it gave one').action(
    async (id: string, options: ProviderOptions) => {
      const client = context.connect(options)
      const found = await client.call(installationRoutes.verifyInstallation, { params: paramsOf(options, id) })
      if (options.json) context.printJson(found)
      else {
        context.printFields([
          ['installation', found.installation_id],
          ['works', found.ok ? { text: 'yes', tone: 'good' } : { text: 'no', tone: 'bad' }],
          ['status', { text: found.status, tone: TONES[found.status] }],
          ['reason', found.reason ?? ''],
        ])
      }
      if (!found.ok) context.finish(exitCode('unhealthy'))
    },
  )
}

function refreshOf(context: Context): Command {
  return ofOne('refresh', 'read the account and the repositories of an installation from the provider').action(
    async (id: string, options: ProviderOptions) => {
      const client = context.connect(options)
      const done = await client.call(installationRoutes.refreshInstallation, { params: paramsOf(options, id) })
      if (options.json) return context.printJson(done)
      return context.printFields([
        ['installation', done.installation_id],
        ['account', done.account ?? ''],
        ['repositories', `${done.repository_count}: ${done.added} added, ${done.removed} removed`],
        ['calls', String(done.calls)],
      ])
    },
  )
}

interface TeamsOptions extends ProviderOptions {
  readonly team?: readonly TeamUse[]
  readonly none?: boolean
}

type TeamUse = InstallationTeams['teams'][number]

function teamsOf(context: Context): Command {
  return ofOne('teams', 'say which teams may use an installation; those that are not named may not')
    .option('-t, --team <path[=patterns]>', 'a team; acme=acme/*,acme-labs/*: with these repositories', collectTeam)
    .option('--none', 'no team may use it')
    .action(async (id: string, { team = [], none, ...options }: TeamsOptions) => {
      if ((team.length === 0) !== (none === true)) throw new CommandFailed('usage', 'Give --team, or --none.')
      const client = context.connect(options)
      const request = { params: paramsOf(options, id), body: { teams: [...team] } }
      const changed = await client.call(installationRoutes.replaceInstallationTeams, request)
      if (options.json) return context.printJson(changed)
      return printInstallation(context, changed)
    })
}

/** For commander: `acme`, or `acme=acme/shop,acme/web`. */
function collectTeam(argument: string, before: readonly TeamUse[] = []): readonly TeamUse[] {
  const [team_path = '', patterns] = argument.split('=', 2)
  const repositories = patterns?.split(',').filter((pattern) => pattern !== '')
  return [...before, { team_path, ...(repositories === undefined ? {} : { repositories }) }]
}
