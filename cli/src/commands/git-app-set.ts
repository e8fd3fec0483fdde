import { gitAppRoutes } from '@signalbox/contracts/git-apps/routes'
import type { Command } from 'commander'
import { CommandFailed } from '../errors.ts'
import type { Context } from './context.ts'
import { type ProviderOptions, providerCommand } from './git-app-fields.ts'
import { readDocument } from './pipeline-document.ts'

interface SetOptions extends ProviderOptions {
  readonly appId?: string
  readonly slug?: string
  readonly privateKeyFile?: string
  readonly webhookSecretFile?: string
  readonly credential?: string
  readonly baseUrl?: string
  readonly team?: string
  readonly keepPrevious: boolean
}

/** Keys come from files or the standard input: arguments are seen by other users of the machine. */
export function setCommand(context: Context): Command {
  return providerCommand(
    'set',
    'store the settings of an app that exists; a new key takes its place beside the old one',
  )
    .option('--app-id <id>', 'its id at the provider (default: the one that is stored)')
    .option('--slug <slug>', 'its name in addresses at the provider')
    .option('--private-key-file <file>', 'a private key of it, PEM; - reads the standard input')
    .option('--webhook-secret-file <file>', 'the secret that signs its deliveries; - reads the standard input')
    .option('--credential <secret>', 'stored token in place of an app, such as acme/gitea-token')
    .option('--base-url <address>', 'the provider\'s address, where it is not its public one; "" for that')
    .option('-t, --team <path>', 'the team that owns the source of the app, and may use its installations')
    .option('--no-keep-previous', 'end the older key at once')
    .action(async (options: SetOptions) => {
      const client = context.connect(options)
      const params = { provider: options.provider }
      const given = { ...readPlain(options), ...(await readKeys(context, options)) }
      if (Object.values(given).every((value) => value === undefined)) {
        throw new CommandFailed('usage', 'No option says what to store.')
      }
      const app_id = options.appId ?? (await client.call(gitAppRoutes.getGitApp, { params })).app_id
      const body = { ...given, app_id, ...(options.keepPrevious ? {} : { keep_previous: false }) }
      const app = await client.call(gitAppRoutes.replaceGitApp, { params, body })
      if (options.json) return context.printJson(app)
      context.printNote(`The settings of the app ${app.name ?? app.slug ?? app.app_id} are stored.`)
      return context.printNote('`signalbox git-app doctor` looks whether they work.')
    })
}

function readPlain({ appId, slug, credential, baseUrl, team }: SetOptions) {
  return {
    app_id: appId,
    slug,
    credential_ref: credential === undefined || /^(secret|env):/.test(credential) ? credential : `secret:${credential}`,
    base_url: baseUrl === '' ? null : baseUrl,
    team_path: team,
  }
}

async function readKeys(context: Context, { privateKeyFile, webhookSecretFile }: SetOptions) {
  if (privateKeyFile === '-' && webhookSecretFile === '-') {
    throw new CommandFailed('usage', 'One of the two alone can come from the standard input.')
  }
  return {
    private_key: privateKeyFile === undefined ? undefined : await readKey(context, privateKeyFile),
    // Editors and `echo` end a file by a newline, which is no part of the secret.
    webhook_secret:
      webhookSecretFile === undefined ? undefined : (await readKey(context, webhookSecretFile)).replace(/\r?\n$/, ''),
  }
}

async function readKey(context: Context, file: string): Promise<string> {
  const text = await readDocument(context, file)
  if (text.trim() !== '') return text
  throw new CommandFailed('usage', `${file === '-' ? 'The standard input' : file} is empty.`)
}
