import type { GitApp, GitAppDiagnosis, RegistrationState } from '@signalbox/contracts/git-apps'
import { gitAppRoutes } from '@signalbox/contracts/git-apps/routes'
import { ERROR_WORDS } from '@signalbox/contracts/git-apps/words'
import type { Command } from 'commander'
import { exitCode } from '../exit-codes.ts'
import { ago } from '../output/durations.ts'
import type { Tone } from '../output/style.ts'
import type { Field } from '../output/table.ts'
import { type ConfirmOptions, confirm, confirmedCommand } from './confirm.ts'
import { type Context, group } from './context.ts'
import { type ProviderOptions, providerCommand, withProvider } from './git-app-fields.ts'
import { installCommand, registerCommand } from './git-app-flow.ts'
import { installationCommands } from './git-app-installations.ts'
import { repositoriesCommand } from './git-app-repositories.ts'
import { setCommand } from './git-app-set.ts'
import { printItems } from './listing.ts'

export function gitAppCommand(context: Context): Command {
  return group('git-app', 'the app by which a Git provider is called, and its installations', [
    registerCommand(context),
    installCommand(context),
    statusCommand(context),
    doctorCommand(context),
    setCommand(context),
    deleteCommand(context),
    ...installationCommands(context),
    repositoriesCommand(context),
  ])
}

function statusCommand(context: Context): Command {
  return providerCommand('status', 'show the app of a provider, its rights and its keys').action(
    async (options: ProviderOptions) => {
      const client = context.connect(options)
      const app = await client.call(gitAppRoutes.getGitApp, { params: { provider: options.provider } })
      if (options.json) return context.printJson(app)
      if (app.app_id === undefined) {
        context.printNote(tellNone(options), 'warn')
        return tellRegistration(
          context,
          await client.call(gitAppRoutes.getRegistration, { params: { provider: options.provider } }),
        )
      }
      return context.printFields(fieldsOf(app, Date.now()))
    },
  )
}

function tellNone({ provider }: ProviderOptions): string {
  const of = provider === 'forge' ? '' : ` of ${provider}`
  return `No app${of} is registered: \`signalbox git-app register\` begins it, \`signalbox git-app set\` takes one that exists.`
}

/** What became of a registration, where there is no app. */
function tellRegistration(context: Context, { status, error }: RegistrationState): void {
  if (error !== null) return context.printNote(`The last registration: ${ERROR_WORDS[error].join('. ')}`, 'warn')
  if (status === 'finishing') context.printNote('The provider gave an app: it is stored in a moment.')
  if (status === 'waiting' || status === 'asking') context.printNote('A registration goes on.')
}

function fieldsOf(app: GitApp, now: number): readonly Field[] {
  const rights = Object.entries(app.permissions ?? {}).map(([permission, access]) => `${permission}: ${access}`)
  return [
    ['provider', app.provider ?? ''],
    ['app', [app.app_id, app.name ?? app.slug].filter((part) => part).join(' ')],
    ['owner', app.account ?? ''],
    ['page', app.html_url ?? ''],
    ['address', app.base_url ?? ''],
    ['team', app.team_path ?? ''],
    ['token', app.credential_ref ?? ''],
    ['webhook', app.webhook_configured ? (app.webhook_url ?? '') : { text: 'not configured', tone: 'warn' }],
    ['source', app.source_id ?? ''],
    ['permissions', rights.join(', ')],
    ['events', (app.events ?? []).join(', ')],
    ...(app.keys ?? []).map(
      ({ kind, fingerprint, created_at }): Field => [
        kind.replace('_', ' '),
        `${fingerprint.slice(0, 16)}, stored ${ago(created_at, now)}`,
      ],
    ),
  ]
}

function doctorCommand(context: Context): Command {
  return providerCommand('doctor', 'look for what is wrong with an app and its installations, with remedies').action(
    async (options: ProviderOptions) => {
      const client = context.connect(options)
      const found = await client.call(gitAppRoutes.diagnoseGitApp, { params: { provider: options.provider } })
      if (options.json) context.printJson(found)
      else printDiagnosis(context, found)
      if (found.steps.some(({ result }) => result === 'failed')) context.finish(exitCode('unhealthy'))
    },
  )
}

type Step = GitAppDiagnosis['steps'][number]

const TONES: Readonly<Record<Step['result'], Tone>> = { ok: 'good', warning: 'warn', failed: 'bad', skipped: 'quiet' }

function printDiagnosis(context: Context, { steps }: GitAppDiagnosis): void {
  printItems(context, steps, [
    ['step', ({ step }) => step],
    ['result', ({ result }) => ({ text: result, tone: TONES[result] })],
    ['found', ({ sentence }) => sentence],
    ['remedy', ({ remedy }) => remedy ?? ''],
  ])
}

function deleteCommand(context: Context): Command {
  return withProvider(
    confirmedCommand('delete', 'forget an app with its keys and installations; it stays at the provider'),
  ).action(async (options: ProviderOptions & ConfirmOptions) => {
    const client = context.connect(options)
    const { provider } = options
    await confirm(
      context,
      provider === 'forge' ? 'Forget the app' : `Forget the app of ${provider}`,
      options,
      'Its keys and installations are forgotten too: sources that use it cannot call the provider any more.',
    )
    await client.call(gitAppRoutes.deleteGitApp, { params: { provider } })
    if (options.json) return context.printJson({ deleted: provider })
    return context.printNote('The app is forgotten. Delete it at the provider too, if nobody else uses it.')
  })
}
