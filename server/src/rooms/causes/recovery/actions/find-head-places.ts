import type { Provider } from '@signalbox/contracts/event'
import type { ForgeAnswer, ForgeBranch, ForgeOpenPull } from '#adapters/forges'
import type { CommandedSource } from '#rooms/causes/sources'
import type { Means } from '../means.ts'
import { findLogs, type MissedLog } from './find-logs.ts'

/** A repository whose provider shows its heads to a source, and no log of what it sent. */
export interface HeadPlace {
  readonly source: CommandedSource
  readonly provider: Provider
  /** The full name. */
  readonly repository: string
  listBranches(): Promise<ForgeAnswer<readonly ForgeBranch[]>>
  listOpenPulls(): Promise<ForgeAnswer<readonly ForgeOpenPull[]>>
}

/** Providers whose API names the heads of branches and of pull requests. */
const COMPARED: ReadonlySet<string> = new Set([
  'github',
  'gitlab',
  'gitea',
  'forgejo',
  'bitbucket',
  'bitbucket_datacenter',
  'azure_devops',
])

/** What a round knows of sources: each is found once. */
export interface KnownPlaces {
  source(sourceId: string): Promise<CommandedSource | undefined>
  /** Undefined: the heads of the repository are not compared. */
  find(source: CommandedSource, repository: string, signal: AbortSignal): HeadPlace | undefined
}

export async function openPlaces(means: Means, signal: AbortSignal): Promise<KnownPlaces> {
  const logs = await findLogs(means, undefined, signal)
  const sources = new Map<string, Promise<CommandedSource | undefined>>()
  return {
    source(sourceId) {
      const found = sources.get(sourceId) ?? means.sources.findCommanded(means.database.kysely, sourceId)
      sources.set(sourceId, found)
      return found
    },
    find(source, repository, until) {
      return isLogged(logs, source, repository) ? undefined : placeOf(means, source, repository, until)
    },
  }
}

function isLogged(logs: readonly MissedLog[], { id }: CommandedSource, repository: string): boolean {
  return logs.some(({ place }) => place.sourceId === id && ['', repository.toLowerCase()].includes(place.repository))
}

function placeOf(
  means: Means,
  source: CommandedSource,
  repository: string,
  signal: AbortSignal,
): HeadPlace | undefined {
  const { baseUrl, checkoutCredentialRef: ref, provider, teamPath } = source
  const forge = means.forges.find(provider)
  const repositories = forge?.repositories
  if (whyUncompared(means, source) !== undefined || !repositories || baseUrl === undefined) return undefined
  if (!source.admits(repository)) return undefined
  const wish = { ref, teamPath, repository, baseUrl }
  return {
    source,
    provider: forge.id,
    repository,
    listBranches: () =>
      means.gitApps.call({ ...wish, uses: ['read'] }, signal, (token) =>
        repositories.listBranches({ baseUrl, token, signal, wholeLists: true }, repository),
      ),
    listOpenPulls: () =>
      means.gitApps.call({ ...wish, uses: ['pull_requests'] }, signal, (token) =>
        repositories.listOpenPulls({ baseUrl, token, signal, wholeLists: true }, repository),
      ),
  }
}

/** Why no heads of the source are compared, whatever the repository; undefined: they are. */
export function whyUncompared(means: Means, source: CommandedSource): string | undefined {
  const { checkoutCredentialRef, baseUrl, provider } = source
  if (!source.enabled) return 'The source is disabled.'
  const title = means.forges.find(provider)?.title ?? provider
  if (!COMPARED.has(provider)) return `${title} shows neither a log of deliveries nor heads that could be compared.`
  if (checkoutCredentialRef === null) {
    return 'There is no log to read. Set checkout_credential_ref, and the heads that the provider shows are compared.'
  }
  if (baseUrl === undefined) return "The provider's address is not known, or is not in provider_hosts."
  return undefined
}
