import type { FreshCopy, Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { Teams } from '#rooms/foundation/teams'
import type { TriggerIndex } from './rules/index.ts'

/** Whether a caller may connect triggers to a source: told by the room that owns sources. */
export type SourceCheck = (db: Queryable, caller: Caller, sourceId: string) => Promise<boolean>

/** What rooms above this one answer. */
export interface AboveTriggers {
  readonly mayConnect: SourceCheck
}

/** What the actions of this room work with: the kit, the doors that the room asks, and its copy in memory. */
export interface Means extends Kit {
  readonly audit: Audit
  readonly teams: Teams
  readonly pipelines: Pipelines
  readonly access: Access
  readonly above: AboveTriggers
  /** Every trigger. Invalidate it after a commit that changes them, so that a delivery that follows at once sees it. */
  readonly index: FreshCopy<TriggerIndex>
}
