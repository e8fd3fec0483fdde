import type { CompiledTiming, Occurrence } from './timing.ts'

/** What became of a fire, as it is stored. */
export type StoredOutcome = 'started' | 'missed' | 'skipped_overlap' | 'denied' | 'invalid'

/** A stored fire. One row may stand for many missed ones: then `reason` says so, and `until` is the last of them. */
export interface StoredFire {
  readonly id: string
  readonly planned: Date
  readonly until: Date | null
  /** When the scheduler came to it. */
  readonly actual: Date
  readonly outcome: StoredOutcome
  readonly runId: string | null
  /** A sentence; of started ones null. */
  readonly reason: string | null
}

export interface ScheduleState {
  readonly createdAt: Date
  /** Since when its timing has been as it is. */
  readonly timingSince: Date
  readonly enabled: boolean
  /** Since when it is disabled; null while it is enabled, or where nobody recorded it. */
  readonly disabledSince: Date | null
  /** Enabled for the last time; earlier instants were planned by nobody. */
  readonly enabledSince: Date | null
  /** Everything planned before this instant has been decided. */
  readonly nextFireAt: Date | null
}

export interface ExplainInput {
  readonly at: Date
  /** How far around `at` people mean, in milliseconds: a minute for somebody who asks about 02:30. */
  readonly within: number
  readonly now: Date
  readonly schedule: ScheduleState
  readonly compiled: CompiledTiming
  /** Those stored around the instant. */
  readonly fires: readonly StoredFire[]
}

export interface Explanation {
  readonly sentence: string
  readonly evidence: readonly Evidence[]
}

export interface Evidence {
  readonly fire_id?: string
  readonly run_id?: string
}

/** Why a schedule fired at an instant, or did not: what is stored first, then what was planned, then what stood against it. */
export function explainInstant(input: ExplainInput): readonly Explanation[] {
  const stored = input.fires.filter((fire) => isNear(input, fire)).map(explainFire)
  const planned = findPlanned(input)
  const moved = planned.filter(({ marks }) => marks.some((mark) => mark !== 'excluded')).map(explainMove)
  if (stored.length > 0) return [...stored, ...moved]
  const reasons = explainSilence(input, planned)
  return [...reasons, ...moved]
}

function isNear({ at, within }: ExplainInput, { planned, until }: StoredFire): boolean {
  return planned.getTime() <= at.getTime() + within && (until ?? planned).getTime() >= at.getTime() - within
}

function explainFire({ id, planned, actual, outcome, runId, reason }: StoredFire): Explanation {
  const evidence = [{ fire_id: id, ...(runId === null ? {} : { run_id: runId }) }]
  const when = write(planned)
  const because = reason === null ? '' : ` ${reason}`
  switch (outcome) {
    case 'started': {
      const late = actual.getTime() - planned.getTime()
      const how = late >= 1000 ? `, ${Math.floor(late / 1000)} s late` : ''
      return { sentence: `It fired for ${when}${how}, and started a run.${because}`, evidence }
    }
    case 'missed':
      return { sentence: `The fire planned for ${when} was missed.${because}`, evidence }
    case 'skipped_overlap':
      return {
        sentence: `The fire planned for ${when} was skipped, as an earlier run had not ended.${because}`,
        evidence,
      }
    case 'denied':
      return {
        sentence: `The fire planned for ${when} was denied, as the owner may not start it any more.${because}`,
        evidence,
      }
    case 'invalid':
      return { sentence: `The fire planned for ${when} could not become a run.${because}`, evidence }
  }
}

function findPlanned({ compiled, at, within }: ExplainInput): readonly Occurrence[] {
  const [from, to] = [new Date(at.getTime() - within), new Date(at.getTime() + within)]
  return compiled.list(from, to, { limit: 5, withExcluded: true })
}

function explainMove({ planned, nominal, local, marks }: Occurrence): Explanation {
  const parts = marks.flatMap((mark) => {
    switch (mark) {
      case 'shifted':
        return 'a change of the clocks skips its local time, so that it moves to the first valid time after it'
      case 'first_of_two':
        return 'its local time occurs twice, and this is the first'
      case 'second_of_two':
        return 'its local time occurs twice, and this is the second'
      case 'spread':
        return `spread delays it by ${(planned.getTime() - nominal.getTime()) / 1000} s`
      case 'excluded':
        return []
    }
  })
  return { sentence: `Of the fire planned for ${local}: ${parts.join('; ')}.`, evidence: [] }
}

/** Nothing is stored: because nothing was planned, or because something stood against it. */
function explainSilence(input: ExplainInput, planned: readonly Occurrence[]): readonly Explanation[] {
  const { at, now, schedule } = input
  const against = [...explainState(input), ...planned.flatMap(explainExclusion), ...explainBounds(input)]
  if (against.length > 0) return against.map(say)
  const first = planned[0]
  if (!first) return [say(sayNearest(input))]
  if (first.planned > now) return [say(`It is planned for ${first.local}, which is still to come.`)]
  if (schedule.nextFireAt && schedule.nextFireAt <= first.planned) {
    return [say(`It is planned for ${first.local}, and the scheduler has not come to it yet.`)]
  }
  return [
    say(`It is planned for ${first.local} by what the schedule says now, but no fire is stored for ${write(at)}.`),
  ]
}

function explainState({ at, schedule }: ExplainInput): readonly string[] {
  const { createdAt, timingSince, enabled, disabledSince, enabledSince } = schedule
  if (at < createdAt) return [`The schedule was made later, at ${write(createdAt)}.`]
  if (!enabled && (disabledSince === null || disabledSince <= at)) {
    return [
      disabledSince === null ? 'The schedule is disabled.' : `The schedule is disabled since ${write(disabledSince)}.`,
    ]
  }
  if (enabledSince && at < enabledSince) {
    return [`The schedule was enabled at ${write(enabledSince)}; what was planned before is not made up for.`]
  }
  if (at < timingSince)
    return [`Its timing was changed later, at ${write(timingSince)}; what it was before is not known here.`]
  return []
}

function explainExclusion({ local, excludedBy }: Occurrence): readonly string[] {
  return excludedBy === null ? [] : [`The fire planned for ${local} is excluded by ${excludedBy}.`]
}

function explainBounds({ at, compiled }: ExplainInput): readonly string[] {
  const { notBefore, notAfter } = compiled.timing
  if (notBefore && at < notBefore) return [`Nothing fires before not_before, ${write(notBefore)}.`]
  if (notAfter && at > notAfter) return [`Nothing fires after not_after, ${write(notAfter)}.`]
  return []
}

/** How far back the nearest planned fire is looked for. */
const LOOK_BACK = 400 * 86_400_000

function sayNearest({ at, compiled }: ExplainInput): string {
  const before = compiled.latest(at, new Date(at.getTime() - LOOK_BACK))
  const after = compiled.next(at)
  const around = [
    before ? `the fire before it is planned for ${before.local}` : 'none is planned in the year before it',
    after ? `the next one for ${after.local}` : 'none after it',
  ]
  return `Nothing is planned for ${write(at)} (${compiled.words}): ${around.join(', ')}.`
}

function say(sentence: string): Explanation {
  return { sentence, evidence: [] }
}

function write(date: Date): string {
  return date.toISOString().replace('.000Z', 'Z')
}
