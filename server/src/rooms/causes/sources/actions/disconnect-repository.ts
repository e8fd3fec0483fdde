import type { Disconnection } from '@signalbox/contracts/sources'
import type { RequestOrigin } from '#platform/http'
import { requirePermission } from '#platform/http'
import type { Means } from '../means.ts'
import { isPayloadUrlOf } from '../rules/index.ts'
import * as store from '../store/connections.ts'
import type { ConnectionWanted } from './connect-repository.ts'
import { getVisible } from './find-source.ts'
import { providerProblem, reachProvider } from './reach-provider.ts'

/** Removes every webhook of the repository that sends to the source, also webhooks that other people made. */
export async function disconnectRepository(
  means: Means,
  origin: RequestOrigin,
  { sourceId, repository, token, signal }: ConnectionWanted,
): Promise<Disconnection> {
  const source = await getVisible(means, origin.caller, sourceId)
  requirePermission(origin.caller, 'webhook_source.write', source.teamPath)
  const place = { sourceId, repository }
  const known = (await store.findConnection(means.database.kysely, place)) !== undefined
  // A webhook of a disabled source is the first that somebody wants to be rid of.
  const asked = { source: { ...source, enabled: true }, repository, token, known }
  const provider = await reachProvider(means, asked)
  const wanted = { repository, isOwn: (url: string) => isPayloadUrlOf(sourceId, url) }
  const answer = await provider.call(signal, (hooks, connection) => hooks.remove(connection, wanted))
  if (answer.outcome !== 'found') throw providerProblem(answer, provider, repository)
  await means.database.transaction(async (tx) => {
    await store.deleteConnection(tx, place)
    await means.audit.record(tx, {
      origin,
      action: 'webhook_source.disconnected',
      resource: { kind: 'webhook_source', id: sourceId },
      teamPath: source.teamPath,
      after: { repository, removed: answer.value },
    })
  })
  return { repository, removed: answer.value }
}
