import type { Permission } from '@signalbox/contracts/access'
import type { ParseResult } from '@signalbox/pipeline/document'
import type { Graph } from '@signalbox/pipeline/graph'
import type { Queryable } from '#platform/database'
import type { Kit } from '#platform/room'
import type { Profiles } from '#rooms/catalog/profiles'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { Secrets } from '#rooms/foundation/secrets'
import type { Teams } from '#rooms/foundation/teams'

/** A trigger, schedule, override or external trigger that starts a pipeline, and what it takes to see the rule. */
export interface StartingRule {
  readonly pipeline: string
  readonly scope: string
  readonly teamPath: string
  readonly permission: Permission
}

/** The questions that rooms above this one answer. */
export interface AbovePipelines {
  /** The rules of all teams that start these pipelines, those that are disabled as well; at most so many of each kind. */
  listStarting(db: Queryable, pipelines: readonly string[], most: number): Promise<readonly StartingRule[]>
}

/** For the actions of this room: the kit, the doors that the room asks, and what it keeps in memory. */
export interface Means extends Kit {
  readonly audit: Audit
  readonly teams: Teams
  readonly secrets: Secrets
  readonly access: Access
  readonly profiles: Profiles
  readonly above: AbovePipelines
  /** Parses a document; a large one in a second thread. */
  readonly parse: (text: string) => Promise<ParseResult>
  /** The graph of a version; undefined: there is no such version. */
  readonly getGraph: (db: Queryable, versionId: string) => Promise<Graph | undefined>
  /** Forgets what `lookup` holds: call it after a commit that changes a pipeline. */
  readonly forget: () => void
}
