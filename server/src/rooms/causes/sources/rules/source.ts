import { validatePatterns } from '@signalbox/pipeline/patterns'

export type AuthMode = 'signature' | 'token' | 'basic'
export type Visibility = 'private' | 'shared'

/** What a person sets. */
export interface SourceDefinition {
  readonly name: string
  readonly provider: string
  readonly enabled: boolean
  readonly teamPath: string
  readonly visibility: Visibility
  readonly authMode: AuthMode
  readonly credentialRef: string
  readonly checkoutCredentialRef: string | null
  readonly repositoryAllowlist: readonly string[]
  readonly ratePerMinute: number
  readonly acknowledgeUnmapped: boolean
}

export interface Source extends SourceDefinition {
  readonly id: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const DEFAULT_RATE_PER_MINUTE = 600

export interface SourceFault {
  readonly field: string
  readonly message: string
}

/** What a provider that this server knows can do; undefined for an unknown one. */
export interface ProviderFacts {
  readonly title: string
  readonly authModes: readonly AuthMode[]
}

/** Everything that is wrong with a definition in itself, each with the field at fault. */
export function validateSource(
  definition: SourceDefinition,
  provider: ProviderFacts | undefined,
  known: readonly string[],
): readonly SourceFault[] {
  const faults: SourceFault[] = []
  if (!provider) {
    faults.push({ field: 'provider', message: `must be one of ${known.join(', ')}` })
  } else if (!provider.authModes.includes(definition.authMode)) {
    faults.push({ field: 'auth_mode', message: `${provider.title} has ${provider.authModes.join(', ')} only` })
  }
  for (const problem of validatePatterns(definition.repositoryAllowlist)) {
    const field = problem.index === null ? 'repository_allowlist' : `repository_allowlist.${problem.index}`
    faults.push({ field, message: problem.message })
  }
  for (const [index, pattern] of definition.repositoryAllowlist.entries()) {
    if (!pattern.includes('/') && !pattern.includes('**')) {
      faults.push({ field: `repository_allowlist.${index}`, message: 'must be of the form owner/repository' })
    }
  }
  return faults
}
