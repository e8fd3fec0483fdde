import type { RecoveryStanding } from '@signalbox/contracts/recovery'
import type { Queryable, Statement } from '#platform/database'
import type { EventPlan } from '#rooms/causes/events'
import type { CommandedSource } from '../rules/told-source.ts'
import type { GivenAnswer } from '../store/answers.ts'

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

/** A delivery as it came, by its own id and by that of its provider. */
export interface CameDelivery extends GivenAnswer {
  readonly sourceId: string
}

/** The questions about lost deliveries that a room above this one answers. */
export interface AboveHealth {
  /** How complete the deliveries of a source are, as far as its provider's log tells. The source was read before. */
  standingOf(source: CommandedSource): Promise<RecoveryStanding>
  /** When each of these was missed before it came back, by the ids of their records; the others are not in it. */
  findMissed(db: Queryable, came: readonly CameDelivery[]): Promise<ReadonlyMap<string, Date>>
}
