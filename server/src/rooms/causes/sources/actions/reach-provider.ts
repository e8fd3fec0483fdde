import { compilePatterns } from '@signalbox/pipeline/patterns'
import type { Forge, ForgeAnswer, ForgeConnection, ForgeHooks } from '#adapters/forges'
import { describeFaults, type Problem } from '#platform/problems'
import { sourceProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { addressOf, type ConnectionFault, findConnectionFaults, payloadUrlOf, type Source } from '../rules/index.ts'

/** All calls of one request: less than a client waits, and less than a connection is reserved. */
const TIME_LIMIT_MS = 15_000

export interface ConnectionAsked {
  readonly source: Source
  readonly repository: string
  /** Given for this one call; undefined: the credential of the source. */
  readonly token: string | undefined
  /** A webhook that is there already may be looked at and removed whatever the source says by now. */
  readonly known: boolean
}

/** A provider that may be called about the webhooks of a repository. */
export interface ReachedProvider {
  readonly forge: Forge
  readonly hooks: ForgeHooks
  /** The address that the webhook calls. */
  readonly payloadUrl: string
  /** Calls within the time limit; `signal` ends them before. Notes that the stored credential was used. */
  call<T>(
    signal: AbortSignal,
    work: (hooks: ForgeHooks, connection: ForgeConnection) => Promise<ForgeAnswer<T>>,
  ): Promise<ForgeAnswer<T>>
}

/** Throws 400 with every obstacle. No provider is called yet. */
export async function reachProvider(
  means: Means,
  { source, repository, token, known }: ConnectionAsked,
): Promise<ReachedProvider> {
  const { baseUrl, providerHosts } = means.config
  const forge = means.forges.find(source.provider)
  const allowlist = compilePatterns(source.repositoryAllowlist, { caseInsensitive: true })
  const providerUrl = forge && addressOf(source, forge, providerHosts)
  const faults = findConnectionFaults({
    source: known ? { ...source, enabled: true } : source,
    provider: {
      title: forge?.title ?? source.provider,
      makesHooks: forge !== undefined && forge.hooks !== null,
      publicUrl: forge?.publicUrl ?? null,
    },
    providerUrl,
    baseUrl,
    repository,
    admitted: known || allowlist.matches(repository),
    tokenGiven: token !== undefined,
  })
  const payloadUrl = payloadUrlOf(baseUrl, source.id)
  if (!forge?.hooks || faults.length > 0 || providerUrl === undefined || payloadUrl === undefined) {
    throw notConnectable(faults)
  }
  const { hooks } = forge
  const stored =
    token === undefined && source.checkoutCredentialRef !== null
      ? await means.secrets.read(means.database.kysely, source.checkoutCredentialRef, source.teamPath)
      : undefined
  if (stored && 'unusable' in stored) {
    throw notConnectable([{ field: 'checkout_credential_ref', message: `cannot be used: ${stored.unusable}` }])
  }
  return {
    forge,
    hooks,
    payloadUrl,
    async call(signal, work) {
      const limit = new AbortController()
      const timer = means.clock.after(TIME_LIMIT_MS, () => limit.abort())
      try {
        const ends = AbortSignal.any([signal, limit.signal])
        const answer = await work(hooks, { baseUrl: providerUrl, token: token ?? stored?.values[0], signal: ends })
        if (stored && answer.outcome === 'found') means.secrets.markUsed(stored)
        return answer
      } finally {
        timer.cancel()
      }
    },
  }
}

export function notConnectable(faults: readonly ConnectionFault[]): Problem {
  return sourceProblem('source.not_connectable', describeFaults(faults), { errors: faults })
}

/** The problem of a call that found nothing: 502 where a later call may succeed, 400 where somebody must act first. */
export function providerProblem(
  answer: Exclude<ForgeAnswer<unknown>, { outcome: 'found' }>,
  { forge, hooks }: ReachedProvider,
  repository: string,
): Problem {
  const right = `The credential needs ${hooks.right}.`
  if (answer.outcome === 'not_found') {
    const detail = `${forge.title} does not have ${repository}, or does not let the credential manage its webhooks.`
    return sourceProblem('source.provider_refused', `${detail} ${right}`)
  }
  if (answer.retry) return sourceProblem('repository.provider_unreachable', answer.reason)
  return sourceProblem('source.provider_refused', `${answer.reason} ${right}`)
}
