import { EVENT_KINDS, type EventKind } from '@signalbox/contracts/event'
import { ON_CONFLICT } from '@signalbox/contracts/runs'
import { DRAFT_RULES } from '@signalbox/contracts/triggers'
import type { Selectable } from 'kysely'
import type { DB } from '#platform/database'
import type { Concurrency, IndexedTrigger, Trigger, TriggerOwner } from '../rules/index.ts'

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
  return { ...toIndexed(row), createdAt: row.created_at, updatedAt: row.updated_at }
}

/** Without its times: of a hundred thousand in memory each word counts. */
export function toIndexed(row: Omit<TriggerRow, 'created_at' | 'updated_at'>): IndexedTrigger {
  return {
    id: row.id,
    teamPath: row.team_path,
    name: row.name,
    sourceId: row.source_id,
    sourceLostAt: row.source_lost_at,
    repositories: row.repositories,
    events: row.events.filter(isEventKind),
    actions: list(row.actions),
    branches: list(row.branches),
    tags: list(row.tags),
    paths: list(row.paths),
    labels: list(row.labels),
    draft: DRAFT_RULES.find((rule) => rule === row.draft) ?? 'any',
    commands: list(row.commands),
    commenters: list(row.commenters),
    condition: row.condition,
    pipeline: row.pipeline,
    scope: row.scope,
    variables: toVariables(row.variables),
    concurrency: toConcurrency(row.concurrency_group, row.on_conflict),
    enabled: row.enabled,
    owner: { kind: toOwnerKind(row.owner_kind), id: row.owner_id, name: row.owner_name },
  }
}

const NONE: readonly string[] = []

/** Most lists of most triggers are empty: they share one. */
function list(values: readonly string[]): readonly string[] {
  return values.length === 0 ? NONE : values
}

const KINDS: ReadonlySet<string> = new Set(EVENT_KINDS)

function isEventKind(text: string): text is EventKind {
  return KINDS.has(text)
}

function toOwnerKind(text: string): TriggerOwner['kind'] {
  return text === 'service_account' || text === 'bootstrap' ? text : 'user'
}

function toConcurrency(group: string | null, rule: string | null): Concurrency | null {
  const onConflict = ON_CONFLICT.find((known) => known === rule)
  return group === null || onConflict === undefined ? null : { group, onConflict }
}

function toVariables(json: unknown): Record<string, string> {
  if (typeof json !== 'object' || json === null) return {}
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, String(value)]))
}
