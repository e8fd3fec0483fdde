import type { ExternalTriggerSecret, ExternalTrigger as Wire } from '@signalbox/contracts/external-triggers'
import type { Config } from '#platform/config'
import { type Caller, toWire } from '#platform/http'
import type { Means } from '../means.ts'
import type { ExternalTrigger } from '../store.ts'

/** To wire, as the reader may see it. */
export function presentFor({ config, runs }: Means, reader: Caller, trigger: ExternalTrigger): Wire {
  const { pipeline, ownerKind: kind, ownerId: id, lastRefusal } = trigger
  const shown = presentExternalTrigger(config, trigger)
  return { ...shown, last_refusal: runs.reasonFor(reader, { pipeline, owner: { kind, id } }, lastRefusal) }
}

/** What audit records show before and after: what people wrote, without what became of it. */
export function presentWritten(config: Pick<Config, 'baseUrl'>, trigger: ExternalTrigger): Wire {
  return presentExternalTrigger(config, { ...trigger, lastRefusal: null })
}

/** Never its secret, nor the hash of that. */
function presentExternalTrigger({ baseUrl }: Pick<Config, 'baseUrl'>, trigger: ExternalTrigger): Wire {
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
  means: Means,
  reader: Caller,
  { trigger, secret }: { readonly trigger: ExternalTrigger; readonly secret: string },
): ExternalTriggerSecret {
  const shown = presentFor(means, reader, trigger)
  return { ...shown, secret, secret_url: `${shown.url}/${secret}` }
}

export function identifierOf({ teamPath, name }: Pick<ExternalTrigger, 'teamPath' | 'name'>): string {
  return `${teamPath}/${name}`
}
