import { readCalendar } from './calendar/read-calendar.ts'
import { readCron } from './cron.ts'
import { anyExcluder, type Excluder, readExcludedDates } from './exclusions.ts'
import { followExpression, followInstant, type NextNominal } from './nominal-instants.ts'
import { planOccurrences } from './plan-occurrences.ts'
import { readRunAt } from './run-at.ts'
import type { CompiledTiming, Timing, TimingFault } from './timing.ts'
import { SECOND, writeLocal } from './wall.ts'
import { readZone, type Zone } from './zone.ts'

export type CompileResult =
  | { readonly ok: true; readonly timing: CompiledTiming }
  | { readonly ok: false; readonly faults: readonly TimingFault[] }

/** Nothing fires later than a day after its nominal instant. */
export const MAX_SPREAD_MS = 86_400_000

/** A zone that stands in while the others of the fields are judged. */
const UTC = 'UTC'

/**
 * When a schedule fires, ready to be asked. Every fault is named at once.
 *
 * The expression is matched against local wall-clock times, and the zone maps each match to instants:
 * - A local time that a change skips fires once, at the first valid instant after the change.
 * - A local time that occurs twice fires at the first (`once`), at both (`both`), or not at all (`skip`).
 * - Under `once`, an expression whose hour is `*` fires in both passes of a repeated hour: it counts hours as they pass.
 * - Local times that one instant stands for fire once.
 * - Exclusions, `notBefore` and `notAfter` judge the nominal instant; spread then delays it by what the id always gets.
 */
export function compileTiming(timing: Timing): CompileResult {
  const faults: TimingFault[] = []
  const known = readZone(timing.timezone)
  if (!known) faults.push({ field: 'timezone', message: unknownZone(timing.timezone) })
  const zone = known ?? readZone(UTC)
  if (!zone) return { ok: false, faults }
  const when = timing.kind === 'recurring' ? readRecurring(timing, zone, faults) : readOneTime(timing, zone, faults)
  const excluders = readExclusions(timing, zone, faults)
  faults.push(...findBoundFaults(timing))
  if (faults.length > 0 || !when) return { ok: false, faults }
  const plan = planOccurrences({ timing, zone, next: when.next, exclude: anyExcluder(excluders) })
  return {
    ok: true,
    timing: {
      timing,
      ...plan,
      get words() {
        return when.describe()
      },
    },
  }
}

interface When {
  readonly next: NextNominal
  describe(): string
}

function readRecurring(timing: Timing, zone: Zone, faults: TimingFault[]): When | undefined {
  const field = 'cron_expression'
  if (timing.cronExpression === null) {
    faults.push({ field, message: 'A recurring schedule needs a cron expression, such as "30 2 * * 1-5".' })
    return undefined
  }
  const read = readCron(timing.cronExpression, timing.id)
  if (!read.ok) {
    faults.push({ field, message: read.message })
    return undefined
  }
  const { rule } = read
  return {
    next: followExpression(rule, zone, timing.dstPolicy),
    describe: () => `${rule.describe()}, ${zone.name}`,
  }
}

function readOneTime(timing: Timing, zone: Zone, faults: TimingFault[]): When | undefined {
  const field = 'run_at'
  if (timing.runAt === null) {
    faults.push({ field, message: 'A one-time schedule needs the time at which it runs, such as 2026-12-24T08:00:00.' })
    return undefined
  }
  const read = readRunAt(timing.runAt, zone)
  if (!read.ok) {
    faults.push({ field, message: read.message })
    return undefined
  }
  const at = read.at.getTime()
  return {
    next: followInstant(at, read.shifted),
    describe: () => `Once at ${writeLocal(at, zone.offsetAt(at))}, ${zone.name}`,
  }
}

function readExclusions(timing: Timing, zone: Zone, faults: TimingFault[]): readonly Excluder[] {
  const excluders: Excluder[] = []
  if (timing.excludedDates.length > 0) {
    const dates = readExcludedDates(timing.excludedDates, zone)
    if (dates.ok) excluders.push(dates.excluder)
    else faults.push(...dates.faults.map(({ index, message }) => ({ field: `exclude_dates[${index}]`, message })))
  }
  if (timing.calendar !== null) {
    const calendar = readCalendar(timing.calendar, zone)
    if (calendar.ok) excluders.push(calendar.excluder)
    else
      faults.push(
        ...calendar.faults.map(({ line, message }) => ({ field: 'calendar', message: `Line ${line}: ${message}` })),
      )
  }
  return excluders
}

function findBoundFaults({ spreadMs, notBefore, notAfter }: Timing): readonly TimingFault[] {
  const faults: TimingFault[] = []
  if (!Number.isInteger(spreadMs / SECOND) || spreadMs < 0 || spreadMs > MAX_SPREAD_MS) {
    faults.push({ field: 'spread', message: 'The spread is whole seconds, from 0s to 24h.' })
  }
  for (const [field, date] of [
    ['not_before', notBefore],
    ['not_after', notAfter],
  ] as const) {
    if (date && Number.isNaN(date.getTime())) faults.push({ field, message: 'This is no time.' })
  }
  if (notBefore && notAfter && notAfter < notBefore) {
    faults.push({ field: 'not_after', message: 'not_after lies before not_before, so that nothing would ever fire.' })
  }
  return faults
}

function unknownZone(name: string): string {
  return `"${name.slice(0, 60)}" is no time zone that is known here: write a name of the IANA database, such as Europe/Berlin.`
}
