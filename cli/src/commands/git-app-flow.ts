import { setTimeout as pause } from 'node:timers/promises'
import type { GitApp, GitAppError, GitAppParams, Installation } from '@signalbox/contracts/git-apps'
import { gitAppRoutes, installationRoutes } from '@signalbox/contracts/git-apps/routes'
import { ERROR_WORDS } from '@signalbox/contracts/git-apps/words'
import type { Command } from 'commander'
import type { Client } from '../client/client.ts'
import { CommandFailed } from '../errors.ts'
import type { ExitName } from '../exit-codes.ts'
import { openInBrowser } from '../processes/open-browser.ts'
import type { ApiOptions, Context } from './context.ts'
import { type ProviderOptions, providerCommand } from './git-app-fields.ts'
import { readSeconds } from './parse-arguments.ts'

const POLL_MS = 1000

interface FlowOptions extends ProviderOptions {
  readonly open: boolean
  readonly wait?: number
}

interface RegisterOptions extends FlowOptions {
  readonly organization: string
  readonly callbackUrl?: string
  readonly baseUrl?: string
  readonly name?: string
  readonly team?: string
}

export function registerCommand(context: Context): Command {
  return flowCommand('register', 'register an app at the provider: a person confirms it in a browser')
    .requiredOption('--organization <name>', 'the organization or account at the provider that owns the app')
    .option('--callback-url <address>', 'the address of the control plane as the provider and browsers reach it')
    .option('--base-url <address>', "the provider's address, where it is not its public one")
    .option('--name <name>', 'the name of the app, which nobody else at the provider has')
    .option('-t, --team <path>', 'the team that owns the source of the app, and may use its installations')
    .action(async (options: RegisterOptions) => {
      const client = context.connect(options)
      const params = { provider: options.provider }
      const body = {
        organization: options.organization,
        callback_url: options.callbackUrl,
        base_url: options.baseUrl,
        name: options.name,
        team_path: options.team,
      }
      const begun = await client.call(gitAppRoutes.startRegistration, { params, body })
      const app = await awaitEnd(context, options, {
        address: begun.form_url,
        expiresAt: begun.expires_at,
        deed: 'register the app',
        look: () => findApp(client, params),
      })
      if (options.json) return context.printJson(app ?? begun)
      if (app) context.printNote(`The app ${app.name ?? app.slug ?? app.app_id} is registered.`, 'good')
    })
}

export function installCommand(context: Context): Command {
  return flowCommand('install', 'install the app at an account: a person confirms it in a browser').action(
    async (options: FlowOptions) => {
      const client = context.connect(options)
      const params = { provider: options.provider }
      const before = new Set((await listInstallations(client, params)).map(markOf))
      const begun = await client.call(gitAppRoutes.startInstallation, { params })
      const made = await awaitEnd(context, options, {
        address: begun.url,
        expiresAt: begun.expires_at,
        deed: 'install the app',
        look: async () => (await listInstallations(client, params)).find((each) => !before.has(markOf(each))),
      })
      if (options.json) return context.printJson(made ?? begun)
      if (made) context.printNote(tellInstalled(made), made.status === 'active' ? 'good' : 'warn')
    },
  )
}

function flowCommand(name: string, description: string): Command {
  return providerCommand(name, description)
    .option('--no-open', 'only print the address; open no browser')
    .option('--wait <seconds>', 'for the end of it; 0: not at all (default: as long as it can end)', readSeconds)
}

interface Flow<T> {
  readonly address: string
  readonly expiresAt: string
  /** What the person does at the address. */
  readonly deed: string
  /** What came of it; undefined while nothing has. */
  readonly look: () => Promise<T | undefined>
}

/** Sends the person to the address, and waits until something came of it; undefined where nobody is to wait. */
async function awaitEnd<T>(
  context: Context,
  { open, json, wait }: FlowOptions & ApiOptions,
  { address, expiresAt, deed, look }: Flow<T>,
): Promise<T | undefined> {
  const { surroundings } = context
  if (!json) context.printText(address)
  context.printNote(json ? `Open ${address} in a browser to ${deed}.` : `Open this address in a browser to ${deed}.`)
  if (open && surroundings.err.isTerminal) await openInBrowser(surroundings, address)
  if (wait === 0) return undefined
  const interrupted = new AbortController()
  using _interrupts = surroundings.onInterrupt(() => interrupted.abort())
  const until = wait === undefined ? Date.parse(expiresAt) : Date.now() + wait * 1000
  while (Date.now() < until) {
    const found = await look()
    if (found !== undefined) return found
    await pause(POLL_MS, undefined, { signal: interrupted.signal }).catch(() => undefined)
    if (interrupted.signal.aborted) {
      throw new CommandFailed('interrupted', `No longer waiting; the address serves to ${deed} until ${expiresAt}.`)
    }
  }
  throw new CommandFailed(
    'unavailable',
    `Nothing came back from the provider in time.`,
    'The page of the browser says why; `signalbox git-app status` shows what is registered.',
  )
}

/** Where trying again does not help. */
const EXITS: Partial<Record<GitAppError, ExitName>> = { denied: 'refused', already_registered: 'conflict' }

/** The app, once it is there. Throws where the registration ended without one. */
async function findApp(client: Client, params: GitAppParams): Promise<GitApp | undefined> {
  const { status, error } = await client.call(gitAppRoutes.getRegistration, { params })
  if (status === 'failed' && error !== null)
    throw new CommandFailed(EXITS[error] ?? 'unavailable', ...ERROR_WORDS[error])
  if (status !== 'registered') return undefined
  const app = await client.call(gitAppRoutes.getGitApp, { params })
  return app.app_id === undefined ? undefined : app
}

function listInstallations(client: Client, params: GitAppParams): Promise<readonly Installation[]> {
  return client.list(installationRoutes.listInstallations, { params })
}

/** Differs where somebody installed it anew, or changed the repositories of an installation. */
function markOf({ installation_id, status, last_verified_at, refreshed_at }: Installation): string {
  return [installation_id, status, last_verified_at, refreshed_at].join(' ')
}

function tellInstalled({ account, installation_id, status, reason }: Installation): string {
  const named = `The installation ${installation_id}${account === null ? '' : ` at ${account}`}`
  return `${named} is ${status.replace('_', ' ')}.${reason === null ? '' : ` ${reason}`}`
}
