import type { TriggerQuery, Trigger as WireTrigger } from '@signalbox/contracts/triggers'
import { type Caller, type Page, pageOf, requireVisible, toWire } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import type { Trigger } from '../rules/index.ts'
import * as store from '../store/index.ts'

/** Throws not_found (404) where there is none that the caller may see. */
export async function getTrigger(means: Means, caller: Caller, id: string): Promise<Trigger> {
  return requireTrigger(caller, await store.findTrigger(means.database.kysely, id))
}

/** The trigger that was found, where the caller may see it; else not_found (404). */
export function requireTrigger(caller: Caller, found: Trigger | undefined): Trigger {
  return requireVisible(caller, 'trigger.read', found, () =>
    platformProblem('not_found', 'There is no trigger of this id.'),
  )
}

export async function listTriggers(means: Means, caller: Caller, query: TriggerQuery): Promise<Page<Trigger>> {
  const filter = {
    prefixes: caller.prefixes('trigger.read'),
    teamPath: query.team_path,
    sourceId: query.source_id,
  }
  return pageOf(query, (window) => store.listTriggers(means.database.kysely, { ...filter, ...window }))
}

/** To wire; also what audit records show before and after. */
export function presentTrigger({ condition, concurrency, ...trigger }: Trigger): WireTrigger {
  return { ...toWire(trigger), if: condition, concurrency: concurrency && toWire(concurrency) }
}
