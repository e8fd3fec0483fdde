import type { FreshCopy } from '#platform/database'
import type { Kit } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { Finder, VouchingSource } from './rules/index.ts'

/**
 * The enabled sources that admit `owner/name`, as of now: told by the room of sources. Throws
 * authorization_unavailable (503) where that cannot be known.
 */
export type SourceDirectory = () => Promise<(repository: string) => readonly VouchingSource[]>

/** What rooms above this one answer. */
export interface AboveOverrides {
  readonly listSources: SourceDirectory
}

/** What the actions of this room work with: the kit, the doors that the room asks, and its copy in memory. */
export interface Means extends Kit {
  readonly audit: Audit
  readonly access: Pick<Access, 'judgeScope' | 'snapshot'>
  readonly pipelines: Pipelines
  readonly runs: Runs
  readonly above: AboveOverrides
  /** Every override. Invalidate it after a commit that changes them, so that an event that follows at once meets it. */
  readonly copy: FreshCopy<Finder>
}
