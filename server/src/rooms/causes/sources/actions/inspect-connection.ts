import type { Connection } from '@signalbox/contracts/sources'
import type { RequestOrigin } from '#platform/http'
import { requirePermission } from '#platform/http'
import { type Problem, platformProblem } from '#platform/problems'
import { sourceProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import type { StoredConnection } from '../rules/index.ts'
import * as store from '../store/connections.ts'
import { type ConnectionWanted, readSecret, wantedHook } from './connect-repository.ts'
import { getVisible } from './find-source.ts'
import { presentConnection } from './list-connections.ts'
import { providerProblem, reachProvider } from './reach-provider.ts'

/** Asks the provider whether the webhook is as it must be, and changes nothing there. */
export async function inspectConnection(
  means: Means,
  { caller }: RequestOrigin,
  { sourceId, repository, token, signal }: ConnectionWanted,
): Promise<Connection> {
  const source = await getVisible(means, caller, sourceId)
  requirePermission(caller, 'webhook_source.write', source.teamPath)
  const db = means.database.kysely
  const before = await store.findConnection(db, { sourceId, repository })
  if (!before) throw notConnected(repository)
  const provider = await reachProvider(means, { source, repository, token, known: true })
  const secret = await readSecret(means, source)
  const wanted = wantedHook(source, provider, secret, { repository, before })
  const answer = await provider.call(signal, (hooks, connection) => hooks.find(connection, wanted))
  if (answer.outcome !== 'found') throw providerProblem(answer, provider, repository)
  const checked: StoredConnection = {
    ...before,
    hookId: answer.value.hookId ?? before.hookId,
    checkedAt: means.clock.now(),
    differences: answer.value.differences,
    fault: null,
  }
  if (!(await store.noteCheck(db, checked))) {
    const detail = `Another request has changed the connection of ${repository} meanwhile; ask again.`
    throw sourceProblem('source.connection_busy', detail, { headers: { 'retry-after': '5' } })
  }
  return presentConnection(means, checked, provider.forge.title)
}

export function notConnected(repository: string): Problem {
  return platformProblem('not_found', `The source has no webhook at ${repository}: connect it first.`)
}
