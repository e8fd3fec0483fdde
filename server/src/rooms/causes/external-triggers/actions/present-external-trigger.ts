import type { ExternalTriggerSecret, ExternalTrigger as Wire } from '@signalbox/contracts/external-triggers'
import type { Config } from '#platform/config'
import { toWire } from '#platform/http'
import type { ExternalTrigger } from '../store.ts'

/** To wire; also what audit records show before and after. Never its secret, nor the hash of that. */
export function presentExternalTrigger({ baseUrl }: Pick<Config, 'baseUrl'>, trigger: ExternalTrigger): Wire {
  const { ownerKind, ownerId, ownerName, secretSha256: _sha256, ratePerMinute, ...columns } = trigger
  return {
    ...toWire(columns),
    identifier: identifierOf(trigger),
    url: `${baseUrl ?? ''}/v1/external-triggers/${trigger.id}/fire`,
    variables: { ...trigger.variables },
    rate_limit: { per_minute: ratePerMinute },
    owner: { kind: ownerKind, id: ownerId, name: ownerName },
  }
}

/** The only answer that holds the secret. */
export function presentWithSecret(
  config: Pick<Config, 'baseUrl'>,
  trigger: ExternalTrigger,
  secret: string,
): ExternalTriggerSecret {
  const shown = presentExternalTrigger(config, trigger)
  return { ...shown, secret, secret_url: `${shown.url}/${secret}` }
}

export function identifierOf({ teamPath, name }: Pick<ExternalTrigger, 'teamPath' | 'name'>): string {
  return `${teamPath}/${name}`
}
