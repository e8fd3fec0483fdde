import type { ForgeAnswer, ForgeFailure, Grants } from '#adapters/forges'
import type { Means } from '../means.ts'
import type { HeldToken, TokenScope } from '../tokens/token-cache.ts'
import type { ConnectedApp } from './connect-app.ts'

export interface TokenWanted {
  readonly installationId: string
  readonly repository: string | null
  readonly grants: Grants
}

/** For how long the provider's servers may not know a token that one of them gave. */
const YOUNG_MS = 5000
const FIRST_PAUSE_MS = 200

/**
 * Calls the provider with a token of an installation. A refused token that is young is tried again, with growing pauses,
 * for up to 5 s. Any other refused one was revoked: it is dropped, and another one is asked for once.
 */
export async function callWithToken<T>(
  means: Means,
  connected: ConnectedApp,
  wanted: TokenWanted,
  { signal, work }: { signal: AbortSignal; work: (token: string) => Promise<ForgeAnswer<T>> },
): Promise<ForgeAnswer<T>> {
  const { provider, baseUrl, appId } = connected.app
  const scope: TokenScope = { provider, baseUrl, appId, proof: connected.proof, ...wanted }
  const asked = await getToken(means, connected, scope, signal)
  if (asked.outcome !== 'found') return asked
  const answer = await tryWhileYoung(means, asked.value, { signal, work })
  if (!isRefused(answer)) return answer
  means.tokens.drop(scope, asked.value)
  const renewed = await getToken(means, connected, scope, signal)
  // A stored token that is still the same one is refused again.
  if (renewed.outcome !== 'found') return renewed
  if (renewed.value.token === asked.value.token) return answer
  const second = await tryWhileYoung(means, renewed.value, { signal, work })
  if (isRefused(second)) means.tokens.drop(scope, renewed.value)
  return second
}

/** The token itself, for a call that somebody else makes. */
export async function getToken(
  means: Means,
  { apps, connection }: ConnectedApp,
  scope: TokenScope,
  signal: AbortSignal,
): Promise<ForgeAnswer<HeldToken>> {
  const { installationId, repository, grants } = scope
  const asked = means.tokens.get(scope, (limit) =>
    apps.createToken(connection(limit), { installationId, repository, grants }),
  )
  return orAborted(asked, signal)
}

async function tryWhileYoung<T>(
  { clock }: Means,
  held: HeldToken,
  { signal, work }: { signal: AbortSignal; work: (token: string) => Promise<ForgeAnswer<T>> },
): Promise<ForgeAnswer<T>> {
  let pause = FIRST_PAUSE_MS
  for (;;) {
    const answer = await work(held.token)
    if (!isRefused(answer)) return answer
    const left = YOUNG_MS - held.ageMs()
    if (left <= 0 || signal.aborted) return answer
    await clock.sleep(Math.min(pause, left), signal)
    pause *= 2
  }
}

/** A 403 refuses what is done, not the token. */
function isRefused(answer: ForgeAnswer<unknown>): answer is ForgeFailure {
  return answer.outcome === 'failed' && answer.cause === 'refused' && answer.status !== 403
}

/** Others may wait for the same answer: only this caller goes away. */
async function orAborted<T>(asked: Promise<ForgeAnswer<T>>, signal: AbortSignal): Promise<ForgeAnswer<T>> {
  const ended: ForgeFailure = { outcome: 'failed', reason: 'The call was ended.', retry: true, cause: 'unreachable' }
  if (signal.aborted) return ended
  const aborted = Promise.withResolvers<ForgeAnswer<T>>()
  const abort = (): void => aborted.resolve(ended)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([asked, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
