import { EVENT_KINDS } from '@signalbox/contracts/event'
import type { Selectable } from 'kysely'
import { type DB, toSnake } from '#platform/database'
import type { IndexedTrigger, Trigger } from '../rules/index.ts'
import { SharedValues } from './shared-values.ts'

export type TriggerRow = Selectable<DB['triggers']>

export function toRow({ owner, concurrency, variables, ...trigger }: Trigger) {
  return {
    ...toSnake(trigger),
    variables: JSON.stringify(variables),
    concurrency_group: concurrency?.group ?? null,
    on_conflict: concurrency?.onConflict ?? null,
    owner_kind: owner.kind,
    owner_id: owner.id,
    owner_name: owner.name,
  }
}

export function toTrigger(row: TriggerRow): Trigger {
  return { ...toIndexed(row, new SharedValues()), createdAt: row.created_at, updatedAt: row.updated_at }
}

/** Without its times, and with what others have as well: of a hundred thousand in memory each word counts. */
export function toIndexed(row: Omit<TriggerRow, 'created_at' | 'updated_at'>, shared: SharedValues): IndexedTrigger {
  const { concurrency_group: group, on_conflict: onConflict } = row
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
    draft: row.draft,
    commands: shared.list(row.commands),
    commenters: shared.list(row.commenters),
    skipCi: row.skip_ci,
    reportComment: row.report_comment,
    condition: row.condition && shared.text(row.condition),
    pipeline: shared.text(row.pipeline),
    scope: shared.text(row.scope),
    variables: toVariables(row.variables, shared),
    concurrency: group === null || onConflict === null ? null : { group, onConflict },
    enabled: row.enabled,
    owner: shared.owner({ kind: row.owner_kind, id: row.owner_id, name: row.owner_name }),
  }
}

const NO_VARIABLES: Readonly<Record<string, string>> = {}

function toVariables(json: unknown, shared: SharedValues): Readonly<Record<string, string>> {
  const given = typeof json === 'object' && json !== null ? Object.entries(json) : []
  if (given.length === 0) return NO_VARIABLES
  return Object.fromEntries(given.map(([name, value]) => [shared.text(name), shared.text(String(value))]))
}
