import type { ExternalTriggerSecret, ExternalTrigger as Wire } from '@signalbox/contracts/external-triggers'
import type { Config } from '#platform/config'
import { type Caller, toWire } from '#platform/http'
import type { Means } from '../means.ts'
import type { ExternalTrigger } from '../store.ts'

/** To wire, as the reader may see it. */
export async function presentFor(means: Means, reader: Caller, trigger: ExternalTrigger): Promise<Wire> {
  const [shown] = await presentAllFor(means, reader, [trigger])
  if (!shown) throw new Error(`The external trigger ${trigger.id} was not presented`)
  return shown
}

/** A run is of the team of its pipeline: whoever sees what started it need not see the run, and learns no id of it. */
export async function presentAllFor(
  { config, database, runs }: Means,
  reader: Caller,
  triggers: readonly ExternalTrigger[],
): Promise<Wire[]> {
  const ids = triggers.flatMap(({ lastRunId }) => lastRunId ?? [])
  const seen = await runs.listSeen(database.kysely, reader, ids)
  return triggers.map((trigger) => {
    const { pipeline, ownerKind: kind, ownerId: id, lastRunId, lastRefusal } = trigger
    return presentExternalTrigger(config, {
      ...trigger,
      lastRunId: lastRunId !== null && seen.has(lastRunId) ? lastRunId : null,
      lastRefusal: runs.reasonFor(reader, { pipeline, owner: { kind, id } }, lastRefusal),
    })
  })
}

/** What audit records show before and after: what people wrote, without what became of it. */
export function presentWritten(config: Pick<Config, 'baseUrl'>, trigger: ExternalTrigger): Wire {
  return presentExternalTrigger(config, { ...trigger, lastRunId: null, lastRefusal: null })
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
export async function presentWithSecret(
  means: Means,
  reader: Caller,
  { trigger, secret }: { readonly trigger: ExternalTrigger; readonly secret: string },
): Promise<ExternalTriggerSecret> {
  const shown = await presentFor(means, reader, trigger)
  return { ...shown, secret, secret_url: `${shown.url}/${secret}` }
}

export function identifierOf({ teamPath, name }: Pick<ExternalTrigger, 'teamPath' | 'name'>): string {
  return `${teamPath}/${name}`
}
