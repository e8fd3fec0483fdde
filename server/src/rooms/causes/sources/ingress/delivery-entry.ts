import type { EventPlan } from '#rooms/causes/events'
import type { Delivery, LearntName } from '../rules/index.ts'
import type { Repetition } from '../store/commit.ts'

/** One delivery as it is to be stored. */
export interface DeliveryEntry {
  readonly delivery: Delivery
  readonly repetition: Repetition
  readonly payload: { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer } | undefined
  readonly plans: readonly EventPlan[]
  /** Whether the provider is told what becomes of the runs; left out: it is not. */
  readonly reportsStatus?: boolean
  /** Whether comments of the delivery may hold commands; left out: they may not. */
  readonly takesCommands?: boolean
  /** Of repositories, as they are heard for the first time. */
  readonly names?: readonly LearntName[]
}
