import type { AttemptRow } from '#rooms/execution/runs'

/** The attempts that a query means; they are in the order in which they were made. */
export function chooseAttempts(
  attempts: readonly AttemptRow[],
  query: { readonly step?: string; readonly task?: string; readonly attempt?: number },
): AttemptRow[] {
  return attempts.filter(
    ({ step, task, number }) =>
      (query.step === undefined || step === query.step) &&
      (query.task === undefined || task === query.task) &&
      (query.attempt === undefined || number === query.attempt),
  )
}
