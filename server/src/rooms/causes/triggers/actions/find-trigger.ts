import type { TriggerQuery, Trigger as WireTrigger } from '@signalbox/contracts/triggers'
import { type Caller, type Page, pageOf, requireVisible } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { toWireTime, toWireTimeOrNull } from '#platform/time'
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
export function presentTrigger(trigger: Trigger): WireTrigger {
  return {
    id: trigger.id,
    name: trigger.name,
    team_path: trigger.teamPath,
    source_id: trigger.sourceId,
    source_lost_at: toWireTimeOrNull(trigger.sourceLostAt),
    repositories: [...trigger.repositories],
    events: [...trigger.events],
    actions: [...trigger.actions],
    branches: [...trigger.branches],
    tags: [...trigger.tags],
    paths: [...trigger.paths],
    labels: [...trigger.labels],
    draft: trigger.draft,
    commands: [...trigger.commands],
    commenters: [...trigger.commenters],
    skip_ci: trigger.skipCi,
    if: trigger.condition,
    pipeline: trigger.pipeline,
    scope: trigger.scope,
    variables: { ...trigger.variables },
    concurrency: trigger.concurrency && {
      group: trigger.concurrency.group,
      on_conflict: trigger.concurrency.onConflict,
    },
    enabled: trigger.enabled,
    owner: { ...trigger.owner },
    created_at: toWireTime(trigger.createdAt),
    updated_at: toWireTime(trigger.updatedAt),
  }
}
