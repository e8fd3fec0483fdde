import type { EventTrace } from '@signalbox/contracts/events'

/** A run of the pull request as `/why` tells of it. */
export interface Standing {
  readonly pipeline: string
  readonly status: string
  /** Why it waits, or ended as it did; null: nothing to say. */
  readonly why: string | null
}

const MOST = 10

/** One paragraph: each run with the reason why it waits or ended so. */
export function describeStanding(runs: readonly Standing[]): string {
  const told = runs.slice(0, MOST).map(({ pipeline, status, why }) => `${pipeline} is ${status}${tail(why)}`)
  const more = runs.length > MOST ? [`${runs.length - MOST} more runs are left out.`] : []
  return [...told, ...more].join(' ')
}

function tail(why: string | null): string {
  return why === null ? '.' : `: ${/[.!?]$/.test(why) ? why : `${why}.`}`
}

/** Why an event started nothing, as its trace says; the newest event of a pull request without runs. */
export function describeNothing(trace: EventTrace | undefined): string {
  if (!trace) return 'No run of the pull request is known, and no event of it either.'
  const reasons = trace.triggers.map(({ name, reason, first_failed: failed, outcome }) => {
    const because = reason ?? (failed === null ? outcome : `its condition ${failed} did not hold`)
    return `${name} started nothing: ${/[.!?]$/.test(because) ? because : `${because}.`}`
  })
  if (reasons.length === 0) return 'No trigger and no manifest names the repository, so that nothing started.'
  const more = reasons.length > MOST ? [`${reasons.length - MOST} more are left out.`] : []
  return [...reasons.slice(0, MOST), ...more].join(' ')
}
