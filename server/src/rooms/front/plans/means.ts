import type { RouteCalls } from '#platform/http'
import type { Planner } from '#platform/planning'
import type { Kit } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { Sessions } from '#rooms/foundation/sessions'
import type { Teams } from '#rooms/foundation/teams'
import type { PlanMetrics } from './metrics.ts'

/** What the house hands in. */
export interface Asked {
  readonly audit: Audit
  readonly teams: Teams
  readonly access: Access
  readonly pipelines: Pipelines
  readonly sessions: Sessions
  /** Plans are carried out by the routes themselves. */
  readonly calls: RouteCalls
  /** Of the rooms below. */
  readonly planners: readonly Planner[]
}

/** What the actions of this room work with. */
export interface Means extends Kit, Omit<Asked, 'planners'> {
  /** By operation. */
  readonly planners: ReadonlyMap<string, Planner>
  readonly counts: PlanMetrics
}
