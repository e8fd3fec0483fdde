import type { FreshCopy } from '#platform/database'
import type { Kit } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { Finder, VouchingSource } from './rules/index.ts'

/**
 * The enabled sources that admit `owner/name` now; the room of sources answers. Throws authorization_unavailable (503) where
 * nobody can know them.
 */
export type SourceDirectory = () => Promise<(repository: string) => readonly VouchingSource[]>

/** A trigger that may start something where no override decides. */
export interface LowerTrigger {
  readonly teamPath: string
  readonly pipeline: string
  readonly scope: string
}

/** The questions that rooms above this one answer. */
export interface AboveOverrides {
  readonly listSources: SourceDirectory
  /** The enabled triggers that are about `owner/name`, of all teams. */
  readonly listTriggers: (repository: string) => Promise<readonly LowerTrigger[]>
}

/** Everything that the actions of this room use: the kit, the doors of other rooms, and the copy in memory. */
export interface Means extends Kit {
  readonly audit: Audit
  readonly access: Pick<Access, 'judgeScope' | 'snapshot'>
  readonly pipelines: Pipelines
  readonly runs: Runs
  readonly above: AboveOverrides
  /** Every override. Invalidate the copy after a commit that changes overrides, so that the next event sees the change. */
  readonly copy: FreshCopy<Finder>
}
