import { EVENT_KINDS } from '@signalbox/contracts/event'
import { ON_CONFLICT } from '@signalbox/contracts/runs'
import { DRAFT_RULES } from '@signalbox/contracts/triggers'
import type { Selectable } from 'kysely'
import type { DB } from '#platform/database'
import type { Concurrency, IndexedTrigger, Trigger } from '../rules/index.ts'
import { SharedValues } from './shared-values.ts'

export type TriggerRow = Selectable<DB['triggers']>

/** What is written of a trigger, but for its id and when it was made. */
export function columns(trigger: Trigger) {
  return {
    team_path: trigger.teamPath,
    name: trigger.name,
    source_id: trigger.sourceId,
    source_lost_at: trigger.sourceLostAt,
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
    condition: trigger.condition,
    pipeline: trigger.pipeline,
    scope: trigger.scope,
    variables: JSON.stringify(trigger.variables),
    concurrency_group: trigger.concurrency?.group ?? null,
    on_conflict: trigger.concurrency?.onConflict ?? null,
    enabled: trigger.enabled,
    owner_kind: trigger.owner.kind,
    owner_id: trigger.owner.id,
    owner_name: trigger.owner.name,
    updated_at: trigger.updatedAt,
  }
}

export function toTrigger(row: TriggerRow): Trigger {
  return { ...toIndexed(row, new SharedValues()), createdAt: row.created_at, updatedAt: row.updated_at }
}

/** Without its times, and with what others have as well: of a hundred thousand in memory each word counts. */
export function toIndexed(row: Omit<TriggerRow, 'created_at' | 'updated_at'>, shared: SharedValues): IndexedTrigger {
  return {
    id: row.id,
    teamPath: shared.text(row.team_path),
    name: row.name,
    sourceId: row.source_id && shared.text(row.source_id),
    sourceLostAt: row.source_lost_at,
    repositories: row.repositories,
    events: row.events.flatMap((event) => EVENT_KINDS.find((kind) => kind === event) ?? []),
    actions: shared.list(row.actions),
    branches: shared.list(row.branches),
    tags: shared.list(row.tags),
    paths: shared.list(row.paths),
    labels: shared.list(row.labels),
    draft: DRAFT_RULES.find((rule) => rule === row.draft) ?? 'any',
    commands: shared.list(row.commands),
    commenters: shared.list(row.commenters),
    skipCi: row.skip_ci,
    condition: row.condition && shared.text(row.condition),
    pipeline: shared.text(row.pipeline),
    scope: shared.text(row.scope),
    variables: toVariables(row.variables, shared),
    concurrency: toConcurrency(row.concurrency_group, row.on_conflict),
    enabled: row.enabled,
    owner: shared.owner({ kind: row.owner_kind, id: row.owner_id, name: row.owner_name }),
  }
}

function toConcurrency(group: string | null, rule: string | null): Concurrency | null {
  const onConflict = ON_CONFLICT.find((known) => known === rule)
  return group === null || onConflict === undefined ? null : { group, onConflict }
}

const NO_VARIABLES: Readonly<Record<string, string>> = {}

function toVariables(json: unknown, shared: SharedValues): Readonly<Record<string, string>> {
  const given = typeof json === 'object' && json !== null ? Object.entries(json) : []
  if (given.length === 0) return NO_VARIABLES
  return Object.fromEntries(given.map(([name, value]) => [shared.text(name), shared.text(String(value))]))
}
