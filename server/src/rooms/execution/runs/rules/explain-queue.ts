import type { Judgement } from '#rooms/catalog/runners'

/** Of the runners that could take it if they had a place. */
export interface Places {
  readonly runners: number
  readonly taken: number
  readonly total: number
}

/** The judgement of runners about work that waits for a runner. */
export interface QueueJudgement extends Judgement {
  readonly places: Places
}

/**
 * Why a run waits for a runner, in sentences that agree with the verdicts of the runners. `before` runs begin earlier;
 * null: more than `counted`.
 */
export function explainQueue({ reason, places }: QueueJudgement, before: number | null, counted: number): string {
  const many = before === null ? `More than ${counted}` : String(before)
  const others = before === 0 ? '' : `${many} ${before === 1 ? 'run is' : 'runs are'} before it.`
  // A requirement that no runner meets keeps the run waiting, whatever is before it.
  if (reason !== null && places.runners === 0) return reason
  if (reason !== null) return join(reason, `${taken(places)}.`, others)
  if (before === 0) return 'A runner can take it; it is about to be assigned.'
  const whose = places.runners === 1 ? 'the runner that can take it' : `the ${places.runners} runners that can take it`
  return join(others, `${taken(places)} at ${whose}.`)
}

/** Why an attempt waits for one runner; `reason`: why that one cannot take it now. */
export function explainHolder(runner: string | undefined, step: string | undefined, reason: string | null): string {
  const whose = runner === undefined ? 'a runner that was removed' : `runner ${runner}`
  const holder = `The task waits for ${whose}, which has the shared workspace of step ${step ?? '?'}.`
  return reason === null || runner === undefined ? holder : join(holder, reason)
}

function taken({ taken: some, total }: Places): string {
  return `${some} of ${total} ${total === 1 ? 'place' : 'places'} ${some === 1 ? 'is' : 'are'} taken`
}

function join(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ')
}
