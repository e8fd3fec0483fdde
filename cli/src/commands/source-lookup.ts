import { sourceRoutes } from '@signalbox/contracts/sources/routes'
import type { Client } from '../client/client.ts'
import { CommandFailed } from '../errors.ts'

/** The id of a source that is named by it, or by its name, which no other source has. */
export async function resolveSource(client: Client, given: string): Promise<string> {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given)) return given
  const known = await client.list(sourceRoutes.listSources)
  const found = known.find(({ name }) => name === given)
  if (found) return found.id
  throw new CommandFailed(
    'notFound',
    `There is no source ${given} that you may see.`,
    'signalbox source list shows them',
  )
}

/** What to enter at the provider; where the control plane does not know its own address, the one that is called here. */
export function payloadUrlOf(
  client: Client,
  { id, payload_url: url }: { readonly id: string; readonly payload_url: string | null },
): string {
  return url ?? `${client.url}/v1/git/webhooks/${id}`
}
