import { compilePatterns } from '@signalbox/pipeline/patterns'
import type { Forge } from '#adapters/forges'
import { answeredWithin, createFreshCopy, type FreshCopy } from '#platform/database'
import type { Kit } from '#platform/room'
import type { GitApps } from '#rooms/catalog/git-apps'
import type { CredentialRead } from '#rooms/foundation/secrets'
import { originOf, type Source } from '../rules/index.ts'
import * as store from '../store/sources.ts'

/** A source made ready to receive: its provider, its allowlist, its secret. */
export interface LiveSource {
  readonly source: Source
  readonly forge: Forge | undefined
  /** Scheme, host and port of its provider; undefined: none that may be called. */
  readonly origin: string | undefined
  allows(repository: string): boolean
  /** The live secrets, opened once for each change of sources or secrets. */
  secrets(): Promise<LiveSecrets>
}

export interface LiveSecrets {
  readonly read: CredentialRead
  readonly values: readonly Buffer[]
  /** The index of each of `values` among the read secrets: empty ones are left out. */
  readonly places: readonly number[]
}

export type SourceBook = ReadonlyMap<string, LiveSource>

/** The means of the book: the kit, the reader of secrets, and the known providers. */
export interface BookMeans extends Kit {
  readonly gitApps: Pick<GitApps, 'readProof'>
  readonly forges: { find(provider: string): Forge | undefined }
}

/** A lost listening connection is noticed by then at the latest (the revision is compared). */
const MAX_AGE_MS = 5000
const TIMEOUT_MS = 1500

/** Every source in memory, as new as the last notification: an unknown id costs nothing, a known one no query. */
export function keepSources(means: BookMeans): FreshCopy<SourceBook> {
  return createFreshCopy({
    database: means.database,
    clock: means.clock,
    channel: 'sources_changed',
    maxAgeMs: MAX_AGE_MS,
    timeoutMs: TIMEOUT_MS,
    revision: store.readRevision,
    async load(db) {
      const sources = await store.listAllSources(db)
      return new Map(sources.map((source) => [source.id, makeLive(means, source)]))
    },
  })
}

function makeLive(means: BookMeans, source: Source): LiveSource {
  let opening: Promise<LiveSecrets> | undefined
  // Once the sources are there no caller waits, and no timer is set.
  let secrets: Promise<LiveSecrets> | undefined
  const allowlist = compilePatterns(source.repositoryAllowlist, { caseInsensitive: true })
  const forge = means.forges.find(source.provider)
  return {
    source,
    forge,
    origin: forge && originOf(source, forge, means.config.providerHosts),
    allows: (repository) => allowlist.matches(repository),
    secrets() {
      if (secrets) return secrets
      opening ??= openSecrets(means, source).then((read) => {
        secrets = Promise.resolve(read)
        return read
      })
      // A database that could not be reached is asked again by the next delivery.
      opening.catch(() => {
        opening = undefined
      })
      // An opening that hangs answers its callers with a problem after the time limit.
      return answeredWithin(means.clock, opening, TIMEOUT_MS)
    },
  }
}

async function openSecrets(means: BookMeans, source: Source): Promise<LiveSecrets> {
  const read = await means.gitApps.readProof(means.database.kysely, source.credentialRef, source.teamPath)
  const all = 'unusable' in read ? [] : read.values.map((value, place) => ({ value, place }))
  const usable = all.filter(({ value }) => value !== '')
  return {
    read,
    values: usable.map(({ value }) => Buffer.from(value, 'utf8')),
    places: usable.map(({ place }) => place),
  }
}
