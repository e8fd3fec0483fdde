import type { RecoveryStanding } from '@signalbox/contracts/recovery'
import type { Statement } from '#platform/database'
import type { EventPlan } from '#rooms/causes/events'

/** What one event of a source starts, as it is committed. */
export interface StartedOfSource {
  /** Whether the source has statuses of commits told. */
  readonly reportsStatus: boolean
  readonly plan: EventPlan
}

/** The questions that rooms above this one answer. */
export interface AboveSources {
  /** For `Database.pipeline` and `execute`: queues what providers are told of these runs, with their own commit. */
  reporting(started: readonly StartedOfSource[]): readonly Statement[]
}

/** The question about lost deliveries that a room above this one answers. */
export interface AboveHealth {
  /** How complete the deliveries of a source are, as far as its provider's log tells. */
  standingOf(sourceId: string): Promise<RecoveryStanding>
}
