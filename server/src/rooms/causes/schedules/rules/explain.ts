import { type Explanation, explainFire, type RunFate, type StoredFire, writeInstant } from './explain-fire.ts'
import { spreadOf } from './plan-occurrences.ts'
import type { CompiledTiming, Occurrence } from './timing.ts'

export interface ScheduleState {
  readonly createdAt: Date
  /** Since when its timing has been as it is. */
  readonly timingSince: Date
  readonly enabled: boolean
  /** Since when it is disabled; null while it is enabled, or where nobody recorded it. */
  readonly disabledSince: Date | null
  /** It was disabled at the instant, and enabled then; null where it was not. */
  readonly enabledSince: Date | null
  /** Of a one-time schedule that has fired: its instant. */
  readonly firedOnce: Date | null
  /** Everything planned before this instant has been decided. */
  readonly nextFireAt: Date | null
  /** Why it has not fired yet, and when it is tried again. */
  readonly retry: { readonly at: Date; readonly reason: string } | null
}

export interface ExplainInput {
  /** What people mean: the minute or the second that they wrote. Both ends are included. */
  readonly from: Date
  readonly to: Date
  readonly now: Date
  readonly schedule: ScheduleState
  readonly compiled: CompiledTiming
  /** Those stored around the instant, by their planned instant or by their nominal one. */
  readonly fires: readonly StoredFire[]
  /** The last one that is stored before. */
  readonly last: StoredFire | undefined
  /** Runs that whoever asks may see. */
  readonly runs: ReadonlyMap<string, RunFate>
}

/** Why a schedule fired at an instant, or did not: what is stored first, then what was planned, then what stood against it. */
export function explainInstant(input: ExplainInput): readonly Explanation[] {
  const tell = (fire: StoredFire) => explainFire(fire, input.runs.get(fire.runId ?? ''))
  const stored = input.fires.flatMap(tell)
  const planned = findPlanned(input)
  const moved = planned.filter(({ marks }) => marks.some((mark) => mark !== 'excluded')).map(explainMove)
  if (stored.length > 0) return [...stored, ...moved]
  const reasons = explainSilence(input, planned)
  const last = planned.length === 0 && input.last ? tell(input.last) : []
  return [...reasons, ...moved, ...afterIntro('The last one before that:', last)]
}

function afterIntro(intro: string, [first, ...rest]: readonly Explanation[]): readonly Explanation[] {
  return first ? [{ ...first, sentence: `${intro} ${first.sentence}` }, ...rest] : []
}

/** What people ask about is the time of the expression, or that of the fire, which the spread moves. */
function findPlanned({ compiled, from, to }: ExplainInput): readonly Occurrence[] {
  const spread = spreadOf(compiled.timing)
  const found = compiled.list(from, new Date(to.getTime() + spread), { limit: MAX_PLANNED, withExcluded: true })
  return found.filter(({ planned, nominal }) => planned <= to || (nominal >= from && nominal <= to)).slice(0, 5)
}

/** With a spread, those that lie between the minute of the expression and that of the fire are seen and passed over. */
const MAX_PLANNED = 2000

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
  return say('schedule.moved', `Of the fire planned for ${local}: ${parts.join('; ')}.`)
}

/** Nothing is stored: because nothing was planned, or because something stood against it. */
function explainSilence(input: ExplainInput, planned: readonly Occurrence[]): readonly Explanation[] {
  const { from, to, now, schedule } = input
  const against = [...explainState(input), ...planned.flatMap(explainExclusion), ...explainBounds(input)]
  if (against.length > 0) return against
  const due = schedule.nextFireAt && schedule.nextFireAt <= now && to >= schedule.nextFireAt ? [sayDue(input)] : []
  const first = planned[0]
  if (!first) return [...due, sayNearest(input)]
  if (due.length > 0 && from <= now) return due
  if (first.planned > now) {
    if (schedule.nextFireAt && first.planned < schedule.nextFireAt) return [sayDecided(first)]
    return [say('schedule.to_come', `It is planned for ${first.local}, which is still to come.`)]
  }
  return [
    say(
      'schedule.unknown',
      `It is planned for ${first.local} by what the schedule says now, but no fire is stored for ${writeInstant(from)}.`,
    ),
  ]
}

function explainState({ from: at, schedule }: ExplainInput): readonly Explanation[] {
  const { createdAt, timingSince, enabled, disabledSince, enabledSince, firedOnce } = schedule
  if (at < createdAt) return [say('schedule.made_later', `The schedule was made later, at ${writeInstant(createdAt)}.`)]
  if (firedOnce && at > firedOnce) {
    return [say('schedule.over', `It is a one-time schedule, and was over with ${writeInstant(firedOnce)}.`)]
  }
  if (!enabled && (disabledSince === null || disabledSince <= at)) {
    const since = disabledSince === null ? '' : ` since ${writeInstant(disabledSince)}`
    return [say('schedule.disabled', `The schedule is disabled${since}.`)]
  }
  if (enabledSince && at < enabledSince) {
    const since = writeInstant(enabledSince)
    const sentence = `The schedule was enabled at ${since}; what was planned before is not made up for.`
    return [say('schedule.enabled_later', sentence)]
  }
  if (at < timingSince) {
    const sentence = `Its timing was changed later, at ${writeInstant(timingSince)}; what it was before is not known here.`
    return [say('schedule.changed_later', sentence)]
  }
  return []
}

/** A greater spread plans it for later than now. */
function sayDecided({ nominal, local }: Occurrence): Explanation {
  const instant = `The instant ${writeInstant(nominal)} was decided before the timing of the schedule changed`
  return say('schedule.decided_before', `${instant}: it does not fire again for ${local}.`)
}

function explainExclusion({ local, excludedBy }: Occurrence): readonly Explanation[] {
  if (excludedBy === null) return []
  return [say('schedule.excluded', `The fire planned for ${local} is excluded.`, `By ${excludedBy}.`)]
}

function explainBounds({ from: at, compiled }: ExplainInput): readonly Explanation[] {
  const { notBefore, notAfter } = compiled.timing
  if (notBefore && at < notBefore) {
    return [say('schedule.not_before', `Nothing fires before not_before, ${writeInstant(notBefore)}.`)]
  }
  if (notAfter && at > notAfter) {
    return [say('schedule.not_after', `Nothing fires after not_after, ${writeInstant(notAfter)}.`)]
  }
  return []
}

/** A scheduler comes to what is due within a second. */
const PROMPT_MS = 5000

function sayDue({ now, schedule: { nextFireAt, retry } }: ExplainInput): Explanation {
  const due = nextFireAt ?? now
  const fire = `The fire planned for ${writeInstant(due)} is due`
  if (retry)
    return say('schedule.tried_again', `${fire}, and is tried again at ${writeInstant(retry.at)}.`, retry.reason)
  const late = now.getTime() - due.getTime()
  if (late < PROMPT_MS) return say('schedule.due', `${fire}, and the scheduler has not come to it yet.`)
  const what = 'no scheduler has come to it: see that a process with the role scheduler runs'
  return say('schedule.no_scheduler', `${fire} for ${Math.floor(late / 1000)} s, and ${what}.`)
}

/** How far back the nearest planned fire is looked for. */
const LOOK_BACK = 400 * 86_400_000

function sayNearest(input: ExplainInput): Explanation {
  const { from: at, compiled } = input
  const after = compiled.next(at)
  const around = `${sayBefore(input)}, ${after ? `the next one for ${after.local}` : 'none after it'}`
  return say('schedule.not_planned', `Nothing is planned for ${writeInstant(at)} (${compiled.words}): ${around}.`)
}

/** What it says now planned nothing before it was made or timed anew. */
function sayBefore({ from: at, compiled, schedule: { createdAt, timingSince } }: ExplainInput): string {
  const lookBack = new Date(at.getTime() - LOOK_BACK)
  const isRecent = timingSince > lookBack
  const before = compiled.latest(at, isRecent ? timingSince : lookBack)
  if (before) return `the fire before it is planned for ${before.local}`
  if (!isRecent) return 'none is planned in the year before it'
  const what = timingSince > createdAt ? 'its timing was changed' : 'the schedule was made'
  return `none is planned before it, since ${what} at ${writeInstant(timingSince)}`
}

function say(code: string, sentence: string, told: string | null = null): Explanation {
  return { code, sentence, told, evidence: [] }
}
