import type { ParseResult } from '@signalbox/pipeline/document'
import type { Graph } from '@signalbox/pipeline/graph'
import type { Queryable } from '#platform/database'
import type { Kit } from '#platform/room'
import type { Profiles } from '#rooms/catalog/profiles'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { Secrets } from '#rooms/foundation/secrets'
import type { Teams } from '#rooms/foundation/teams'

/** For the actions of this room: the kit, the doors that the room asks, and what it keeps in memory. */
export interface Means extends Kit {
  readonly audit: Audit
  readonly teams: Teams
  readonly secrets: Secrets
  readonly access: Access
  readonly profiles: Profiles
  /** Parses a document; a large one in a second thread. */
  readonly parse: (text: string) => Promise<ParseResult>
  /** The graph of a version; undefined: there is no such version. */
  readonly getGraph: (db: Queryable, versionId: string) => Promise<Graph | undefined>
  /** Forgets what `lookup` holds: call it after a commit that changes a pipeline. */
  readonly forget: () => void
}
