/**
 * Why an instant is skipped because of one run of the schedule. Such a reason is stored as a sentence, and whoever may not
 * see the run must not read its id: the sentence is made and read here alone.
 */

/** What the run does that keeps others from starting. */
const KEEPS = {
  skip: 'of the schedule has not finished (overlap_policy skip).',
  queue_one: 'of the schedule waits already (overlap_policy queue_one).',
} as const

const NAMED = /^Run ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?= of the schedule )/

/** The sentence; without an id it names no run. */
export function overlapReason(policy: keyof typeof KEEPS, runId?: string): string {
  return `${runId === undefined ? 'A run' : `Run ${runId}`} ${KEEPS[policy]}`
}

/** The run that a stored reason names; undefined: it names none. */
export function runOfReason(reason: string | null): string | undefined {
  return reason === null ? undefined : NAMED.exec(reason)?.[1]
}

/** The same reason for those who may not see the run that it names. */
export function withoutRun(reason: string): string {
  return reason.replace(NAMED, 'A run')
}
