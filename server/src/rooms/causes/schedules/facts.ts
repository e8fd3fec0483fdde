/** Told in the transaction that records it: an instant of a schedule was expected and started nothing. */
export const SCHEDULE_NOT_FIRED = { kind: 'schedule.not_fired', version: 1 } as const

export interface ScheduleNotFired {
  readonly schedule_id: string
  readonly identifier: string
  readonly team_path: string
  readonly fire_id: string
  readonly planned_at: string
  readonly outcome: 'missed' | 'skipped_overlap' | 'denied' | 'invalid'
  readonly reason: string
  /** How many instants it stands for. */
  readonly missed_count: number
}
