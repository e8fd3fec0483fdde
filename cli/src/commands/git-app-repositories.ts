import type { ConnectedRepository, InstallationRepository } from '@signalbox/contracts/git-apps'
import { installationRoutes } from '@signalbox/contracts/git-apps/routes'
import type { Command } from 'commander'
import { CommandFailed } from '../errors.ts'
import type { Context } from './context.ts'
import { type ProviderOptions, providerCommand } from './git-app-fields.ts'
import { TONES } from './git-app-installations.ts'
import { type Columns, type ListOptions, printList, withLimit } from './listing.ts'

interface RepositoriesOptions extends ProviderOptions, ListOptions {
  readonly team?: string
}

export function repositoriesCommand(context: Context): Command {
  return withLimit(
    providerCommand('repositories', 'list the repositories of an installation, or all that a team can use'),
  )
    .argument('[installation]', 'its id at the provider')
    .option('-t, --team <path>', 'what sources of this team can use, by name')
    .action(async (installationID: string | undefined, { team, ...options }: RepositoriesOptions) => {
      const { provider } = options
      const client = context.connect(options)
      if (installationID !== undefined && team === undefined) {
        const params = { provider, installationID }
        const print = { operation: installationRoutes.listInstallationRepositories, params, columns: COLUMNS }
        return printList(context, client, print, options)
      }
      if (team === undefined || installationID !== undefined) {
        throw new CommandFailed('usage', 'Name an installation, or a team with --team.')
      }
      const print = { params: { provider }, query: { team_path: team }, columns: CONNECTED }
      return printList(context, client, { operation: installationRoutes.listConnectedRepositories, ...print }, options)
    })
}

const COLUMNS: Columns<InstallationRepository> = [
  ['repository', ({ full_name }) => full_name],
  ['', (each) => (each.private ? 'private' : 'public')],
  ['branch', ({ default_branch }) => default_branch ?? ''],
]

const CONNECTED: Columns<ConnectedRepository> = [
  ...COLUMNS,
  ['installation', ({ installation_id }) => installation_id],
  ['status', ({ status }) => ({ text: status, tone: TONES[status] })],
]
