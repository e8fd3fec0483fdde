import type { FreshCopy, Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { Teams } from '#rooms/foundation/teams'
import type { TriggerIndex } from './rules/index.ts'

/** Whether a caller may connect triggers to a source; the room of sources answers. */
export type SourceCheck = (db: Queryable, caller: Caller, sourceId: string) => Promise<boolean>

/** The questions that rooms above this one answer. */
export interface AboveTriggers {
  readonly mayConnect: SourceCheck
}

/** Everything that the actions of this room use: the kit, the doors of other rooms, and the copy in memory. */
export interface Means extends Kit {
  readonly audit: Audit
  readonly teams: Teams
  readonly pipelines: Pipelines
  readonly access: Access
  readonly runs: Pick<Runs, 'requireStart'>
  readonly above: AboveTriggers
  /** Every trigger. Invalidate the copy after a commit that changes triggers, so that the next delivery sees the change. */
  readonly index: FreshCopy<TriggerIndex>
}
