import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  type IDToken,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { Clock } from '#platform/time'
import { ProviderAway } from './bounded-fetch.ts'
import { type DiscoverySettings, DiscoveryWrong, keepDiscovery } from './kept-discovery.ts'
import type { Completed, OpenIdFailed, OpenIdProvider } from './port.ts'

/** The part of the configuration that the protocol needs. */
export interface OpenIdSettings extends DiscoverySettings {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
}

export function openProvider(settings: OpenIdSettings, clock: Clock): OpenIdProvider {
  const { id, name, issuer, scopes } = settings
  const configured = keepDiscovery(settings, clock)
  return {
    id,
    name,
    issuer,
    async begin(redirectUri) {
      const transaction = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
      try {
        const url = buildAuthorizationUrl(await configured(), {
          redirect_uri: redirectUri,
          scope: scopes.join(' '),
          state: transaction.state,
          nonce: transaction.nonce,
          code_challenge: await calculatePKCECodeChallenge(transaction.verifier),
          code_challenge_method: 'S256',
        })
        return { outcome: 'begun', url: url.href, transaction }
      } catch (error) {
        return failed(error)
      }
    },
    async complete(redirectUri, query, { state, nonce, verifier }) {
      const address = new URL(redirectUri)
      address.search = query
      try {
        const configuration = await configured()
        const tokens = await authorizationCodeGrant(configuration, address, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const token = tokens.claims()
        if (!token) return { outcome: 'failed', fault: 'invalid', reason: 'The provider sent no id token.' }
        return await withUserInfo(configuration, token, tokens.access_token)
      } catch (error) {
        if (error instanceof AuthorizationResponseError) return refusal(error)
        return failed(error)
      }
    },
  }
}

/**
 * Many providers tell groups at the userinfo endpoint alone. Where it fails the sign-in fails: absent groups would take
 * rights away.
 */
async function withUserInfo(configuration: Configuration, token: IDToken, accessToken: string): Promise<Completed> {
  const { userinfo_endpoint: endpoint } = configuration.serverMetadata()
  const info = endpoint === undefined ? {} : await fetchUserInfo(configuration, accessToken, token.sub)
  const { iss: issuer, sub: subject } = token
  return { outcome: 'proved', account: { issuer, subject, claims: { ...info, ...token } } }
}

/** What providers say when the person declined, or is not allowed in. */
const DENIALS = [
  'access_denied',
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
]

function refusal({ error }: AuthorizationResponseError): Completed {
  if (DENIALS.includes(error)) return { outcome: 'denied' }
  const isAway = error === 'temporarily_unavailable' || error === 'server_error'
  const reason = `The provider sent the browser back with the error ${/^[a-z_]{1,60}$/.test(error) ? error : 'unknown'}.`
  return { outcome: 'failed', fault: isAway ? 'unreachable' : 'invalid', reason }
}

function failed(error: unknown): OpenIdFailed {
  for (const cause of causesOf(error)) {
    if (cause instanceof ProviderAway)
      return { outcome: 'failed', fault: 'unreachable', reason: `The provider is away: ${cause.message}.` }
    if (cause instanceof DiscoveryWrong)
      return { outcome: 'failed', fault: 'invalid', reason: `The provider is not usable: ${cause.message}.` }
  }
  return {
    outcome: 'failed',
    fault: 'invalid',
    reason: `The answer of the provider cannot be believed (${describe(error)}).`,
  }
}

function* causesOf(error: unknown): Generator<unknown> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause
}

/** The codes of openid-client and of OAuth, never a message: some quote what the provider sent. */
function describe(error: unknown): string {
  const codes = [...causesOf(error)].flatMap((cause) => [
    wordOf(cause, 'code'),
    wordOf(cause, 'error'),
    wordOf(valueOf(cause, 'cause'), 'claim'),
  ])
  return [...new Set(codes)].filter((code) => code !== undefined).join(', ') || 'unknown'
}

function wordOf(owner: unknown, name: string): string | undefined {
  const value = valueOf(owner, name)
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,60}$/.test(value) ? value : undefined
}

function valueOf(owner: unknown, name: string): unknown {
  return typeof owner === 'object' && owner !== null ? Object.getOwnPropertyDescriptor(owner, name)?.value : undefined
}
