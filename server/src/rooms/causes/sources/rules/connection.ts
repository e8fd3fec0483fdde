import type { HookDifference } from '#adapters/forges'
import { namesApp } from './credential-wish.ts'
import { describeReach, isNear } from './reach.ts'
import type { Source } from './source.ts'

export interface StoredConnection {
  readonly sourceId: string
  readonly repository: string
  readonly hookId: string
  readonly connectedAt: Date
  readonly checkedAt: Date
  readonly differences: readonly HookDifference[]
  readonly fault: string | null
  readonly firstDeliveryAt: Date | null
  /** The stored secret that the webhook holds; null: a secret without versions, or an unknown one. */
  readonly secret: { readonly id: string; readonly version: number } | null
}

export interface ConnectionState {
  readonly state: 'pending' | 'active' | 'broken'
  readonly reason: string
}

const TOLD: Readonly<Record<HookDifference, string>> = {
  missing: 'the webhook is gone',
  doubled: 'several webhooks send to the source',
  address: 'it sends to another address',
  disabled: 'it is disabled',
  events: 'it leaves out events that triggers can use',
  content_type: 'it sends forms instead of JSON',
  secret: 'it may hold another secret',
}

/** `provedAt`: when a delivery first proved the webhook as it is now; `provider` its name. */
export function judgeConnection(
  { differences, fault }: StoredConnection,
  provedAt: Date | null,
  provider: string,
): ConnectionState {
  if (fault !== null) return { state: 'broken', reason: fault }
  if (differences.length > 0) {
    const told = differences.map((difference) => TOLD[difference]).join(', ')
    return { state: 'broken', reason: `Not as it must be at ${provider}: ${told}. Connect again to repair it.` }
  }
  if (provedAt !== null) return { state: 'active', reason: 'A delivery has proved the webhook.' }
  return {
    state: 'pending',
    reason: `No delivery has proved the webhook yet. Push something, or look at what ${provider} says of its deliveries.`,
  }
}

export interface ConnectionFault {
  readonly field: string
  readonly message: string
}

export interface ConnectionFacts {
  readonly source: Source
  readonly provider: { readonly title: string; readonly makesHooks: boolean; readonly publicUrl: string | null }
  /** Where the provider is; undefined: not known, or not one of provider_hosts. */
  readonly providerUrl: string | undefined
  /** The control plane's own address. */
  readonly baseUrl: string | undefined
  readonly repository: string
  readonly admitted: boolean
  readonly tokenGiven: boolean
}

/** Everything that stands against a call of the provider, each with the field at fault. */
export function findConnectionFaults(facts: ConnectionFacts): readonly ConnectionFault[] {
  const { source, provider, providerUrl, baseUrl, repository, admitted, tokenGiven } = facts
  if (!provider.makesHooks) {
    const message = `is ${provider.title}, which has no API that makes webhooks: enter the payload URL at the sender`
    return [{ field: 'provider', message }]
  }
  const faults: ConnectionFault[] = []
  if (!isName(repository)) {
    faults.push({ field: 'repository', message: 'is no full name of a repository, such as acme/widgets' })
  } else if (!admitted) {
    faults.push({ field: 'repository', message: 'is not admitted by the repository_allowlist' })
  }
  if (!source.enabled) {
    faults.push({ field: 'enabled', message: 'is false: a disabled source answers 404 to every delivery' })
  }
  if (!tokenGiven && source.checkoutCredentialRef === null) {
    faults.push({ field: 'token', message: 'is needed where the source has no checkout_credential_ref' })
  }
  if (namesApp(source.credentialRef)) {
    const message = 'is an app: its own webhook tells of every repository of its installations, so none is made'
    faults.push({ field: 'credential_ref', message })
  } else if (!tokenGiven && namesApp(source.checkoutCredentialRef)) {
    const message = 'is needed: the tokens of an app manage no webhooks of repositories'
    faults.push({ field: 'token', message })
  }
  if (providerUrl === undefined) {
    faults.push({
      field: 'base_url',
      message: "of the source must name the provider's address, a host of provider_hosts",
    })
  }
  const fault = findOwnAddressFault(baseUrl, providerUrl, provider)
  if (fault !== undefined) faults.push({ field: 'payload_url', message: fault })
  return faults
}

/** The name becomes a part of the address that is called. */
function isName(repository: string): boolean {
  return repository.isWellFormed() && !repository.split('/').some((segment) => segment === '.' || segment === '..')
}

function findOwnAddressFault(
  baseUrl: string | undefined,
  providerUrl: string | undefined,
  { title, publicUrl }: ConnectionFacts['provider'],
): string | undefined {
  if (baseUrl === undefined) {
    return 'is not known: an operator sets base_url of the control plane to an address that the provider reaches'
  }
  if (providerUrl === undefined || isNear(baseUrl, providerUrl, publicUrl)) return undefined
  const where = describeReach(baseUrl)
  return `is ${where}, which ${title} does not reach: an operator sets base_url of the control plane to an address that ${title} reaches`
}
