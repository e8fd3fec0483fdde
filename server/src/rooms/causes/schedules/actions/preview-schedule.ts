import type { SchedulePreview, SchedulePreviewInput } from '@signalbox/contracts/schedules'
import type { Caller } from '#platform/http'
import type { Means } from '../means.ts'
import { compileTiming, timingOf } from '../rules/index.ts'
import { findSchedule } from '../store/schedules.ts'
import { refuse } from './check-schedule.ts'
import { presentOccurrence } from './describe-schedule.ts'
import { readChange, readDocument } from './read-document.ts'

/** The seed of a schedule that has no id yet. */
const NO_ID = '00000000-0000-0000-0000-000000000000'
const DEFAULT_LIMIT = 10
/** How far instants are looked for. */
const YEARS_MS = 50 * 366 * 86_400_000

/** The next instants of a timing; of a stored schedule those of its own, with what the input changes. */
export async function previewSchedule(
  means: Means,
  caller: Caller,
  { schedule: asked, from: given, limit = DEFAULT_LIMIT, ...input }: SchedulePreviewInput,
): Promise<SchedulePreview> {
  const stored = asked === undefined ? undefined : await findSchedule(means.database.kysely, asked)
  if (asked !== undefined && !(stored && caller.can('schedule.read', stored.teamPath))) {
    refuse([{ field: 'schedule', message: `there is no schedule ${asked} that you may see` }])
  }
  const kind = input.schedule_kind ?? (typeof input.run_at === 'string' ? 'one_time' : 'recurring')
  const unnamed = readDocument({ path: 'a', name: 'a', pipeline: 'a/a', ...input, schedule_kind: kind })
  const definition = stored ? { ...stored, ...readChange(input) } : { ...unnamed, id: NO_ID }
  const compiled = compileTiming(timingOf(definition))
  if (!compiled.ok) {
    refuse(compiled.faults)
    throw new Error('A timing that cannot be compiled has faults')
  }
  const { timing } = compiled
  const from = given === undefined ? means.clock.now() : new Date(given)
  const after = new Date(from.getTime() + 1)
  const instants = timing.list(after, new Date(from.getTime() + YEARS_MS), { limit, withExcluded: true })
  return {
    words: timing.words,
    timezone: definition.timezone,
    spread_known: stored !== undefined,
    instants: instants.map(presentOccurrence),
  }
}
