import type { History } from '../history.ts'
import { checkAttempts } from './attempts.ts'
import { checkIntruders, checkSizes } from './bounds.ts'
import { checkDeliveries, checkRequests } from './deliveries.ts'
import { checkLines } from './lines.ts'
import { checkEnds, checkStatuses } from './statuses.ts'
import type { Violation } from './violation.ts'

export { INVARIANTS, type Violation } from './violation.ts'

/** Everything in a history that must not be. */
export function checkHistory(history: History): readonly Violation[] {
  const checks = [
    checkDeliveries,
    checkRequests,
    checkAttempts,
    checkStatuses,
    checkEnds,
    checkLines,
    checkIntruders,
    checkSizes,
  ]
  return checks.flatMap((check) => check(history))
}
