import type { TeamCounts } from '@signalbox/contracts/overview'
import type { SharedReadings } from '#platform/database'
import type { Kit } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Runners } from '#rooms/catalog/runners'
import type { Schedules } from '#rooms/causes/schedules'
import type { Sources } from '#rooms/causes/sources'
import type { Approvals } from '#rooms/execution/approvals'
import type { Runs } from '#rooms/execution/runs'
import type { Teams } from '#rooms/foundation/teams'

/** What is the same for all callers who see the same. */
export type CountedParts = Pick<TeamCounts, 'runs' | 'sources' | 'runners' | 'schedules' | 'broken'>

/** For the actions of this room: the kit, and the doors that the room asks. */
export interface Means extends Kit {
  /** The homes of a team that are open are told of a change at the same time, and ask at the same time. */
  readonly parts: SharedReadings<CountedParts>
  readonly teams: Teams
  readonly pipelines: Pipelines
  readonly runners: Runners
  readonly runs: Runs
  readonly approvals: Approvals
  readonly sources: Sources
  readonly schedules: Schedules
}
