import { formatDuration } from '../../components/format-duration.ts'
import type { Run } from './run.ts'

type Place = Pick<Run, 'queue_position' | 'queue_position_over'>

/** The place of a run among those that wait for the same runners, as a sentence. */
export function placeOf({ queue_position, queue_position_over }: Place): string | undefined {
  if (queue_position_over !== null) return `More than ${queue_position_over} runs begin before it.`
  if (queue_position === null) return undefined
  if (queue_position <= 1) return 'It is the next one.'
  const before = queue_position - 1
  return `Number ${queue_position}: ${before} ${before === 1 ? 'run begins' : 'runs begin'} before it.`
}

type Estimate = Place & Pick<Run, 'queue_estimate_seconds'>

/** How long the wait may be, or why nobody can say. */
export function estimateOf(run: Estimate): string | undefined {
  if (run.queue_estimate_seconds !== null) {
    return `About ${formatDuration(run.queue_estimate_seconds * 1000)}, as runs began here in the last hour.`
  }
  if (run.queue_position === null) return undefined
  return 'Nobody can say: too few runs began here in the last hour.'
}
