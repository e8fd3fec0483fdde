import { sourceRoutes } from '@signalbox/contracts/sources/routes'
import type { Client } from '../client/client.ts'
import { idOf, lookUpBy } from './resource.ts'

export const sources = {
  noun: 'source',
  named: 'name or id',
  param: 'sourceID',
  lookUp: lookUpBy(sourceRoutes.listSources, ({ name }) => name),
  get: sourceRoutes.getSource,
  change: sourceRoutes.updateSource,
}

/** The id of a source that is named by it, or by its name. */
export function resolveSource(client: Client, given: string): Promise<string> {
  return idOf(client, sources, given)
}

/** The address to enter at the provider. A control plane that does not know its own address is named by the address used here. */
export function payloadUrlOf(
  client: Client,
  { id, payload_url: url }: { readonly id: string; readonly payload_url: string | null },
): string {
  return url ?? `${client.url}/v1/git/webhooks/${id}`
}
