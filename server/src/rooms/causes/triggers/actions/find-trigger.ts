import type { TriggerQuery, Trigger as WireTrigger } from '@signalbox/contracts/triggers'
import { type Caller, type Page, readCursor, toPage } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { toWireTime, toWireTimeOrNull } from '#platform/time'
import type { Means } from '../means.ts'
import type { Trigger } from '../rules/index.ts'
import * as store from '../store/index.ts'

const DEFAULT_LIMIT = 50

export function canSee(caller: Caller, trigger: Trigger): boolean {
  return caller.can('trigger.read', trigger.teamPath)
}

/** One that the caller may not see answers as one that does not exist. */
export async function getTrigger(means: Means, caller: Caller, id: string): Promise<Trigger> {
  const trigger = await store.findTrigger(means.database.kysely, id)
  // Asked also when there is none, so that the answer is the same.
  const visible = caller.can('trigger.read', trigger?.teamPath ?? '/')
  if (!trigger || !visible) throw platformProblem('not_found', 'There is no trigger of this id.')
  return trigger
}

export async function listTriggers(means: Means, caller: Caller, query: TriggerQuery): Promise<Page<Trigger>> {
  const limit = query.limit ?? DEFAULT_LIMIT
  const rows = await store.listTriggers(means.database.kysely, {
    prefixes: caller.prefixes('trigger.read'),
    teamPath: query.team_path,
    sourceId: query.source_id,
    before: readCursor(query.cursor),
    limit: limit + 1,
  })
  return toPage(rows, limit)
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
