import type { Means } from '../means.ts'
import { type DoctorStep, failed, skipped, warned, well } from '../rules/diagnosis.ts'
import { webhookUrlOf } from '../rules/manifest.ts'
import type { ConnectedApp } from './connect-app.ts'
import type { FoundApp } from './find-app.ts'
import { findReachFault } from './judge-address.ts'

/** The step `webhook`: the address at the provider is ours, and can be reached. */
export async function diagnoseWebhook(
  means: Means,
  { apps, forge, connection }: ConnectedApp,
  { row, keys }: FoundApp,
  signal: AbortSignal,
): Promise<DoctorStep> {
  const isConnection = apps.registration === null
  if (!keys.some(({ kind }) => kind === 'webhook_secret')) {
    if (isConnection) return withoutDeliveries(forge.title)
    const remedy = 'Set a webhook secret on the page of the app, and PUT it to the settings of the app.'
    return failed('webhook', 'No webhook secret is stored, so no delivery can be proved.', remedy)
  }
  if (row.sourceId === null || row.publicUrl === null) {
    const remedy =
      row.teamPath === null
        ? 'Make a team, and PUT it as team_path to the settings of the app.'
        : 'PUT the settings of the app again: that makes its source.'
    const whose = isConnection ? 'connection' : 'app'
    return failed('webhook', `No source takes the deliveries of the ${whose}.`, remedy)
  }
  const ours = webhookUrlOf(row.publicUrl, row.sourceId)
  const fault = await findReachFault(means, { publicUrl: row.publicUrl, baseUrl: row.baseUrl })
  if (fault !== undefined) {
    return failed('webhook', `The address ${ours} ${fault}.`, 'Set base_url to an address that the provider reaches.')
  }
  if (!apps.findWebhookUrl) {
    return well('webhook', `The source takes deliveries at ${ours}; ${forge.title} does not tell who sends there.`)
  }
  const found = await apps.findWebhookUrl(connection(signal))
  if (found.outcome === 'failed') return warned('webhook', found.reason, 'Try again later.')
  const theirs = found.outcome === 'found' ? found.value : null
  if (theirs === ours) return well('webhook', `${forge.title} sends the deliveries to ${ours}.`)
  const sentence =
    theirs === null ? 'The app has no webhook.' : `${forge.title} sends the deliveries to another address.`
  return failed('webhook', sentence, `Set the webhook URL on the page of the app to ${ours}.`)
}

/** A connection calls its provider without it: only deliveries need the secret, and other sources have their own. */
function withoutDeliveries(title: string): DoctorStep {
  const sentence = 'No webhook secret is stored: the connection calls the provider, and has no source for deliveries.'
  const remedy =
    'PUT a webhook_secret to its settings (`signalbox git-app set --webhook-secret-file`). ' +
    `Then enter the secret and the address of the source as a webhook at ${title}. Sources with a secret of their own need neither.`
  return warned('webhook', sentence, remedy)
}

/** The step `last_delivery`, by the log of the provider. */
export async function diagnoseDelivery({ forge, connection }: ConnectedApp, signal: AbortSignal): Promise<DoctorStep> {
  const log = forge.deliveries?.ofApp
  if (!log) return skipped('last_delivery', `${forge.title} keeps no log of deliveries for all repositories.`)
  const listed = await log.list(connection(signal), null)
  if (listed.outcome === 'failed') return warned('last_delivery', listed.reason, 'Try again later.')
  const newest = listed.outcome === 'found' ? listed.value.deliveries[0] : undefined
  if (!newest) {
    return warned('last_delivery', `${forge.title} has sent no delivery yet.`, 'Push a commit to a repository.')
  }
  const named = `The last delivery (${newest.eventType}, ${newest.deliveredAt})`
  const { status } = newest
  if (status !== null && status >= 200 && status < 300) return well('last_delivery', `${named} was answered ${status}.`)
  const remedy = 'Read the delivery on the page of its source, or at the provider.'
  const answer = status === null || status === 0 ? 'had no answer' : `was answered ${status}`
  return failed('last_delivery', `${named} ${answer}.`, remedy)
}
