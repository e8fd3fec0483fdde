import type { Owner } from '@signalbox/contracts/http'
import { validateRepositoryPatterns } from '@signalbox/pipeline/patterns'
import { readBaseUrl } from './provider-address.ts'

export type AuthMode = 'signature' | 'token' | 'basic'
export type Visibility = 'private' | 'shared'

/** The fields that a person sets. */
export interface SourceDefinition {
  readonly name: string
  readonly provider: string
  readonly enabled: boolean
  readonly teamPath: string
  readonly visibility: Visibility
  readonly authMode: AuthMode
  readonly credentialRef: string
  /** The provider's address; null: its public one. */
  readonly baseUrl: string | null
  readonly checkoutCredentialRef: string | null
  /** Whether manifests and changed files are fetched from the repository. */
  readonly readRepository: boolean
  readonly reportStatus: boolean
  /** Whether comments of pull requests may hold commands. */
  readonly commentCommands: boolean
  readonly repositoryAllowlist: readonly string[]
  readonly rateLimitPerMinute: number
  readonly acknowledgeUnmapped: boolean
}

export interface Source extends SourceDefinition {
  readonly id: string
  /** The last writer: manifests start on their behalf. */
  readonly owner: Owner
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const DEFAULT_RATE_PER_MINUTE = 600

export interface SourceFault {
  readonly field: string
  readonly message: string
}

/** The abilities of a provider that this server knows; undefined for an unknown one. */
export interface ProviderFacts {
  readonly title: string
  readonly authModes: readonly AuthMode[]
  readonly publicUrl: string | null
  /** Whether it shows statuses beside commits. */
  readonly showsStatuses: boolean
  /** Whether it tells of comments, of pull requests and of what people may do. */
  readonly takesCommands: boolean
}

/** The providers that this server knows and the hosts that it allows. */
export interface ServerFacts {
  readonly providers: readonly string[]
  readonly providerHosts: readonly string[]
}

/** Everything that is wrong with a definition in itself, each with the field at fault. */
export function validateSource(
  definition: SourceDefinition,
  provider: ProviderFacts | undefined,
  server: ServerFacts,
): readonly SourceFault[] {
  const faults: SourceFault[] = []
  if (!provider) {
    faults.push({ field: 'provider', message: `must be one of ${server.providers.join(', ')}` })
  } else if (!provider.authModes.includes(definition.authMode)) {
    faults.push({ field: 'auth_mode', message: `${provider.title} has ${provider.authModes.join(', ')} only` })
  }
  if (provider) faults.push(...findAddressFaults(definition, provider, server.providerHosts))
  if (definition.reportStatus && definition.checkoutCredentialRef === null) {
    faults.push({ field: 'report_status', message: 'needs a checkout_credential_ref that may write statuses' })
  } else if (definition.reportStatus && provider?.showsStatuses === false) {
    faults.push({ field: 'report_status', message: `${provider.title} shows no statuses beside commits` })
  }
  if (definition.commentCommands && definition.checkoutCredentialRef === null) {
    faults.push({
      field: 'comment_commands',
      message: 'needs a checkout_credential_ref that may read and write comments',
    })
  } else if (definition.commentCommands && provider?.takesCommands === false) {
    const message = `${provider.title} cannot be asked for comments and for the permission of their authors`
    faults.push({ field: 'comment_commands', message })
  }
  for (const problem of validateRepositoryPatterns(definition.repositoryAllowlist)) {
    const field = problem.index === null ? 'repository_allowlist' : `repository_allowlist.${problem.index}`
    faults.push({ field, message: problem.message })
  }
  return faults
}

function findAddressFaults(
  { baseUrl, checkoutCredentialRef, readRepository }: SourceDefinition,
  provider: ProviderFacts,
  hosts: readonly string[],
): readonly SourceFault[] {
  const needed = checkoutCredentialRef !== null || readRepository
  const address = baseUrl ?? (needed ? provider.publicUrl : null)
  if (address === null) {
    if (!needed) return []
    const because = checkoutCredentialRef === null ? 'read_repository' : 'checkout_credential_ref'
    const message = `is required with ${because}: ${provider.title} has no public address`
    return [{ field: 'base_url', message }]
  }
  const read = readBaseUrl(address, hosts)
  return 'fault' in read ? [{ field: 'base_url', message: read.fault }] : []
}
