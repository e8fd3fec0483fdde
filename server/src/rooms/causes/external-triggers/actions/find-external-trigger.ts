import type { ExternalTriggerQuery } from '@signalbox/contracts/external-triggers'
import { type Caller, type Page, pageOf, requireVisible } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import * as store from '../store.ts'

/** By id or identifier. Throws not_found (404) where there is none that the caller may see. */
export async function getExternalTrigger(means: Means, caller: Caller, asked: string): Promise<store.ExternalTrigger> {
  return requireExternalTrigger(caller, await store.findExternalTrigger(means.database.kysely, asked), asked)
}

/** The one that was found, where the caller may see it; else not_found (404). */
export function requireExternalTrigger(
  caller: Caller,
  found: store.ExternalTrigger | undefined,
  asked: string,
): store.ExternalTrigger {
  return requireVisible(caller, 'external_trigger.read', found, () =>
    platformProblem('not_found', `There is no external trigger ${asked} that you may see.`),
  )
}

export function listExternalTriggers(
  means: Means,
  caller: Caller,
  query: ExternalTriggerQuery,
): Promise<Page<store.ExternalTrigger>> {
  const filter = { prefixes: caller.prefixes('external_trigger.read'), teamPath: query.team_path }
  return pageOf(query, (window) => store.listExternalTriggers(means.database.kysely, { ...filter, ...window }))
}
