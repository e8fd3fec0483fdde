import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  type ServerMetadata,
} from 'openid-client'
import type { Clock } from '#platform/time'
import { boundedFetch } from './bounded-fetch.ts'

/** The part of the configuration of a provider that its discovery needs. */
export interface DiscoverySettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
}

/** The provider's own description names another issuer, or an address without TLS. */
export class DiscoveryWrong extends Error {
  override readonly name = 'DiscoveryWrong'
  readonly code = 'openid.discovery_wrong'
}

const FRESH_MS = 3_600_000
const STALE_MS = 24 * 3_600_000
/** How long an old description is used before the provider, which did not answer, is asked again. */
const PAUSE_MS = 60_000
const TIMEOUT_SECONDS = 5

/**
 * The description of a provider, asked for when it is needed, and again after an hour. While the provider does not answer, an old one is
 * used for a day: its keys and tokens come from it anyway. Rejects as openid-client does, or with DiscoveryWrong.
 */
export function keepDiscovery(settings: DiscoverySettings, clock: Clock): () => Promise<Configuration> {
  let held: { readonly configuration: Configuration; readonly at: number } | undefined
  let renewAt = 0
  let pending: Promise<Configuration> | undefined

  async function renew(): Promise<Configuration> {
    try {
      const configuration = await discover(settings)
      held = { configuration, at: clock.monotonic() }
      renewAt = held.at + FRESH_MS
      return configuration
    } catch (error) {
      const now = clock.monotonic()
      if (held === undefined || now - held.at > STALE_MS) throw error
      renewAt = now + PAUSE_MS
      return held.configuration
    } finally {
      pending = undefined
    }
  }

  return async () => (held && clock.monotonic() < renewAt ? held.configuration : (pending ??= renew()))
}

async function discover({ issuer, clientId, clientSecret }: DiscoverySettings): Promise<Configuration> {
  const isPlain = issuer.startsWith('http:')
  const configuration = await discovery(
    new URL(issuer),
    clientId,
    undefined,
    (as, client, body, headers) => authenticateBy(as, clientSecret)(as, client, body, headers),
    {
      [customFetch]: boundedFetch,
      timeout: TIMEOUT_SECONDS,
      // openid-client leaves out the signature of tokens that came over TLS; we check it always.
      execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
    },
  )
  const { issuer: named, authorization_endpoint: endpoint = '' } = configuration.serverMetadata()
  if (named !== issuer) throw new DiscoveryWrong('its description names another issuer: compare the spelling')
  const isSafe = URL.canParse(endpoint) && (isPlain ? /^https?:$/ : /^https:$/).test(new URL(endpoint).protocol)
  if (!isSafe) throw new DiscoveryWrong('its description names no https address to sign in at')
  return configuration
}

function authenticateBy(
  { token_endpoint_auth_methods_supported: methods }: ServerMetadata,
  secret: string | undefined,
) {
  if (secret === undefined) return None()
  // In the body there is no question how special characters are encoded.
  return methods?.includes('client_secret_post') ? ClientSecretPost(secret) : ClientSecretBasic(secret)
}
