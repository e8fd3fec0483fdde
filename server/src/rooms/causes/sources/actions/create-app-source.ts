import type { Tx } from '#platform/database'
import type { RequestOrigin } from '#platform/http'
import type { AppSource } from '#rooms/catalog/git-apps'
import type { Means } from '../means.ts'
import { isNameTaken } from '../store/sources.ts'
import { newSource, storeSource } from './write-source.ts'

/** The sender limits itself, and everything that comes is of the app's installations. */
const PER_MINUTE = 6000

/**
 * The source that takes the deliveries of an app, in the transaction that stores the app. It reads and reports with the
 * tokens of the app's installations. Its name is the app's, or the app's with the first digits of the id.
 */
export async function createAppSource(
  means: Means,
  tx: Tx,
  origin: RequestOrigin,
  { id, name, provider, baseUrl, teamPath, repositoryAllowlist }: AppSource,
): Promise<void> {
  const ref = `app:${provider}`
  const source = newSource(means, origin, {
    id,
    name: (await isNameTaken(tx, name)) ? `${name.slice(0, 80)} ${id.slice(-8)}` : name,
    provider,
    baseUrl,
    teamPath,
    repositoryAllowlist,
    enabled: true,
    visibility: 'private',
    authMode: undefined,
    credentialRef: ref,
    checkoutCredentialRef: ref,
    readRepository: true,
    reportStatus: true,
    rateLimitPerMinute: PER_MINUTE,
    // Pings and news of the app itself are no failures.
    acknowledgeUnmapped: true,
    commentCommands: false,
  })
  await storeSource(means, tx, origin, source)
}
