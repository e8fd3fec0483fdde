import { gitAppRoutes, installationRoutes } from '@signalbox/contracts/git-apps/routes'
import { CommandFailed } from '../../errors.ts'
import { TEAM } from '../resources.ts'
import { readForm, requireOutcome } from './browser.ts'
import { shapes, tellForge } from './forge-control.ts'
import { GITHUB } from './forge-resources.ts'
import { ACCOUNT, REPOSITORY } from './project.ts'
import { pageOf, type Telling } from './telling.ts'

/** Registers the app and installs it, by the ways that a browser takes. Answers the id of the source that came with the app. */
export async function connectApp(telling: Telling): Promise<string> {
  const sourceId = await register(telling)
  await install(telling)
  return sourceId
}

async function register({ product, say }: Telling): Promise<string> {
  const { client, forge, url } = product
  const body = {
    organization: ACCOUNT,
    team_path: TEAM,
    base_url: forge.url,
    callback_url: `${url}/v1/git-apps/github/register/callback`,
  }
  const begun = await client.call(gitAppRoutes.startRegistration, { params: GITHUB, body })
  say('register', begun.form_url)
  const { action, manifest } = await readForm(begun.form_url)
  const confirmed = { form_url: action, manifest, follow: true }
  const led = await tellForge(forge.controlUrl, 'POST /registrations', shapes.led, confirmed)
  say('confirmed', `at ${new URL(action).origin}${new URL(action).pathname}`)
  say('callback', requireOutcome(led.led_to))
  const app = await client.call(gitAppRoutes.getGitApp, { params: GITHUB })
  const sourceId = app.source_id ?? undefined
  if (sourceId === undefined) throw new CommandFailed('unexpected', 'The app has no source.')
  say('app', `${app.slug} of ${app.account}, ${app.html_url}; here ${pageOf(product, 'system/git-apps')}`)
  say('webhook', `${app.webhook_url}`)
  return sourceId
}

async function install({ product: { client, forge }, say }: Telling): Promise<void> {
  const begun = await client.call(gitAppRoutes.startInstallation, { params: GITHUB })
  say('install', begun.url)
  const choice = {
    install_url: begun.url,
    account: ACCOUNT,
    repositories: [REPOSITORY.slice(ACCOUNT.length + 1)],
    follow: true,
  }
  const led = await tellForge(forge.controlUrl, 'POST /installations', shapes.led, choice)
  say('callback', requireOutcome(led.led_to))
  const [made] = await client.list(installationRoutes.listInstallations, { params: GITHUB, limit: 1 })
  if (made === undefined) throw new CommandFailed('unexpected', 'The installation is not recorded.')
  const params = { ...GITHUB, installationID: made.installation_id }
  const read = await client.call(installationRoutes.refreshInstallation, { params })
  const { status } = await client.call(installationRoutes.getInstallation, { params })
  say('installation', `${made.installation_id} of ${read.account}: ${status}, repositories: ${read.repository_count}`)
}
