import type { SchedulePreview, SchedulePreviewInput } from '@signalbox/contracts/schedules'
import type { Caller } from '#platform/http'
import type { Means } from '../means.ts'
import { type CompiledTiming, compileTiming, findKindFaults, type Occurrence, timingOf } from '../rules/index.ts'
import { findSchedule } from '../store/schedules.ts'
import { invalid, refuse } from './check-schedule.ts'
import { presentOccurrence } from './describe-schedule.ts'
import { findDecidedUntil } from './find-decided.ts'
import { readChange, readDocument, type ScheduleDefinition } from './read-document.ts'

/** The seed of a schedule that has no id yet. */
const NO_ID = '00000000-0000-0000-0000-000000000000'
const DEFAULT_LIMIT = 10
/** How far instants are looked for. */
const YEARS_MS = 50 * 366 * 86_400_000
/** The last instant that RFC 3339 can write. */
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

type TimingInput = Omit<SchedulePreviewInput, 'schedule' | 'from' | 'limit'>
type Previewed = ScheduleDefinition & { readonly id: string }

/** The next instants of a timing; of a stored schedule those of its own, with what the input changes. */
export async function previewSchedule(
  means: Means,
  caller: Caller,
  { schedule: asked, from: given, limit = DEFAULT_LIMIT, ...input }: SchedulePreviewInput,
): Promise<SchedulePreview> {
  const definition = asked === undefined ? ofNew(input) : await ofStored(means, caller, asked, input)
  const compiled = compileTiming(timingOf(definition))
  refuse([...findKindFaults(definition), ...(compiled.ok ? [] : compiled.faults)])
  if (!compiled.ok) throw new Error('A timing that cannot be compiled has faults')
  const { timing } = compiled
  const now = means.clock.now()
  const from = given === undefined ? now : new Date(given)
  const decidedUntil = asked === undefined ? now : await findDecidedUntil(means.database.kysely, timing, now)
  const instants = listAround(timing, { from, now, decidedUntil, limit })
  return {
    words: timing.words,
    timezone: definition.timezone,
    spread_known: asked !== undefined,
    instants: instants.map(presentOccurrence),
  }
}

interface Range {
  readonly from: Date
  readonly now: Date
  readonly decidedUntil: Date
  readonly limit: number
}

/** What is planned after `from`, without what lies ahead and was decided: it does not fire again. */
function listAround(timing: CompiledTiming, { from, now, decidedUntil, limit }: Range): readonly Occurrence[] {
  const until = new Date(Math.min(from.getTime() + YEARS_MS, LAST_MS))
  const past = from < now ? timing.list(justAfter(from), now < until ? now : until, { limit, withExcluded: true }) : []
  const ahead = justAfter(from > decidedUntil ? from : decidedUntil)
  return [...past, ...timing.list(ahead, until, { limit: limit - past.length, withExcluded: true })]
}

function justAfter(at: Date): Date {
  return new Date(at.getTime() + 1)
}

function ofNew(input: TimingInput): Previewed {
  const isOnce = typeof input.run_at === 'string' && typeof input.cron_expression !== 'string'
  const schedule_kind = input.schedule_kind ?? (isOnce ? 'one_time' : 'recurring')
  return { ...readDocument({ path: 'a', name: 'a', pipeline: 'a/a', ...input, schedule_kind }), id: NO_ID }
}

/** Throws schedule.invalid (400) for one that the caller may not see, as for none. */
async function ofStored(means: Means, caller: Caller, asked: string, input: TimingInput): Promise<Previewed> {
  const stored = await findSchedule(means.database.kysely, asked)
  const maySee = caller.can('schedule.read', stored?.teamPath ?? '/')
  if (!stored || !maySee) {
    throw invalid([{ field: 'schedule', message: `there is no schedule ${asked} that you may see` }])
  }
  const turns = input.schedule_kind !== undefined && input.schedule_kind !== stored.scheduleKind
  // What the stored one says of the other kind is not meant.
  return { ...stored, ...(turns ? { cronExpression: null, runAt: null } : {}), ...readChange(input) }
}
