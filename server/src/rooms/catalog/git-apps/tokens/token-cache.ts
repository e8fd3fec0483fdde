import type { ForgeAnswer, Grants, InstallationToken } from '#adapters/forges'
import type { Kit } from '#platform/room'
import type { GitAppMetrics } from '../metrics.ts'

/** All that a token depends on: two apps, hosts, installations or scopes never share one. */
export interface TokenScope {
  readonly provider: string
  readonly baseUrl: string
  readonly appId: string
  /** Names the keys that prove the app: with other keys it gets other tokens. */
  readonly proof: string
  readonly installationId: string
  /** Null: all of the installation. */
  readonly repository: string | null
  readonly grants: Grants
}

export interface HeldToken {
  readonly token: string
  /** Milliseconds since it was given: the provider's own servers may not know a young one yet. */
  ageMs(): number
}

export type AskForToken = (signal: AbortSignal) => Promise<ForgeAnswer<InstallationToken>>

/** Tokens of installations, in memory alone. */
export interface TokenCache {
  /** A token of this scope; any number of callers ask the provider once. */
  get(scope: TokenScope, ask: AskForToken): Promise<ForgeAnswer<HeldToken>>
  /** It was refused; another one that was given meanwhile stays. */
  drop(scope: TokenScope, refused: HeldToken): void
  /** Of an installation, or of all installations of the provider's app. */
  dropOf(provider: string, installationId?: string): void
  close(): void
}

interface Entry {
  readonly scope: TokenScope
  readonly answer: Promise<ForgeAnswer<HeldToken>>
  held: HeldToken | undefined
  /** Milliseconds since 1970 at which the token is no longer handed out; undefined while it is asked for. */
  goodUntil: number | undefined
}

/** A call that begins with the token ends before the token does. */
const MARGIN_MS = 60_000
/** One call of a provider ends by itself before. */
const ASK_MS = 15_000
const MAX_HELD = 10_000
const CHANNEL = 'git_apps_changed'

export interface CacheMeans extends Pick<Kit, 'clock' | 'database'> {
  readonly gitAppMetrics: Pick<GitAppMetrics, 'token'>
}

export function createTokenCache({ clock, database, gitAppMetrics }: CacheMeans): TokenCache {
  const entries = new Map<string, Entry>()

  function dropOf(provider: string, installationId?: string): void {
    for (const [key, { scope }] of entries) {
      if (scope.provider !== provider) continue
      if (installationId === undefined || scope.installationId === installationId) entries.delete(key)
    }
  }

  // A process that changed something told it. After a lost connection something may have been missed.
  const endListening = database.notifications.listen(CHANNEL, (payload) => {
    if (payload === undefined) return entries.clear()
    const [provider = '', installationId] = payload.split(' ')
    return dropOf(provider, installationId)
  })

  function ask(key: string, scope: TokenScope, askProvider: AskForToken): Entry {
    const limit = new AbortController()
    const timer = clock.after(ASK_MS, () => limit.abort())
    const entry: Entry = {
      scope,
      held: undefined,
      goodUntil: undefined,
      answer: askProvider(limit.signal)
        .then((answer) => keep(key, entry, answer))
        .catch((error: unknown) => {
          forget(key, entry)
          throw error
        })
        .finally(() => timer.cancel()),
    }
    entries.set(key, entry)
    return entry
  }

  function keep(key: string, entry: Entry, answer: ForgeAnswer<InstallationToken>): ForgeAnswer<HeldToken> {
    const { provider } = entry.scope
    if (answer.outcome !== 'found') {
      gitAppMetrics.token(provider, 'failed')
      forget(key, entry)
      return answer
    }
    gitAppMetrics.token(provider, 'issued')
    const { token, expiresAt } = answer.value
    const since = clock.monotonic()
    // One that does not expire is somebody's stored token, which may be replaced at any time. It is young to nobody.
    const ageMs = expiresAt === null ? () => Number.POSITIVE_INFINITY : () => clock.monotonic() - since
    entry.held = { token, ageMs }
    entry.goodUntil = expiresAt === null ? 0 : Date.parse(expiresAt) - MARGIN_MS
    if (!isGood(entry)) forget(key, entry)
    return { outcome: 'found', value: entry.held }
  }

  /** One that was dropped and asked for again meanwhile is another entry. */
  function forget(key: string, entry: Entry): void {
    if (entries.get(key) === entry) entries.delete(key)
  }

  function isGood({ goodUntil }: Entry): boolean {
    return goodUntil === undefined || goodUntil > clock.now().getTime()
  }

  return {
    get(scope, askProvider) {
      const key = keyOf(scope)
      const known = entries.get(key)
      if (known && isGood(known)) {
        gitAppMetrics.token(scope.provider, 'shared')
        return known.answer
      }
      // The one that was given longest ago goes.
      entries.delete(key)
      const [oldest] = entries.keys()
      if (entries.size >= MAX_HELD && oldest !== undefined) entries.delete(oldest)
      return ask(key, scope, askProvider).answer
    },
    drop(scope, refused) {
      const key = keyOf(scope)
      gitAppMetrics.token(scope.provider, 'dropped')
      if (entries.get(key)?.held === refused) entries.delete(key)
    },
    dropOf,
    close() {
      endListening()
      entries.clear()
    },
  }
}

function keyOf({ provider, baseUrl, appId, proof, installationId, repository, grants }: TokenScope): string {
  const rights = Object.entries(grants).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const name = repository?.toLowerCase() ?? null
  return JSON.stringify([provider, baseUrl, appId, proof, installationId, name, rights])
}
