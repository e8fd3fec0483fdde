import { CronDate, CronPattern } from 'croner'
import cronstrue from 'cronstrue'
import { readCronFields } from './cron-fields.ts'
import type { Wall } from './wall.ts'

/** A cron expression over wall-clock times; no zone is known here. */
export interface CronRule {
  /** The first matching time after `wall`; undefined where none follows within 400 years. */
  nextWall(wall: Wall): Wall | undefined
  /** The hour is `*`: the expression counts hours as they pass. */
  readonly everyHour: boolean
  /** The expression without H, `?` and short forms. */
  readonly plain: string
  /** In English: "At 02:30, Monday through Friday". */
  describe(): string
}

export type CronReading =
  | { readonly ok: true; readonly rule: CronRule }
  | { readonly ok: false; readonly message: string }

/**
 * What croner is told: five fields or six; 0 and 7 are Sunday; `5/15` is refused; days of month and of week together are
 * Vixie's OR.
 */
const PARSING = { mode: '5-or-6-parts', alternativeWeekdays: false, sloppyRanges: false } as const
const SEARCHING = { domAndDow: false, interval: 0 } as const
/** Minutes ahead of UTC: croner counts wall-clock times as if they were UTC, so that it has no opinion on DST. */
const OFFSET = 0

/** No year is ever given. A pattern of croner keeps 80 KB for years, which 10,000 schedules would pay for. */
const NO_YEARS: number[] = []

export function readCron(expression: string, id: string): CronReading {
  const read = readCronFields(expression, id)
  if (!read.ok) return read
  const plain = read.fields.join(' ')
  let pattern: CronPattern
  try {
    pattern = new CronPattern(plain, undefined, PARSING)
  } catch (error) {
    return { ok: false, message: sentenceOf(error) }
  }
  pattern.year = NO_YEARS
  const rule: CronRule = {
    plain,
    everyHour: read.everyHour,
    nextWall(wall) {
      return new CronDate(new Date(wall), OFFSET).increment(pattern, SEARCHING, false)?.getTime()
    },
    describe: () => describe(plain),
  }
  return { ok: true, rule }
}

function sentenceOf(error: unknown): string {
  const said = error instanceof Error ? error.message : ''
  const text = said.replace(/^CronPattern: /, '').replace(/^Syntax error, /, '')
  if (text === '') return 'The expression is not a cron expression.'
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`
}

/** Two given days are joined by "or", as they are meant; cronstrue says "and". */
function describe(plain: string): string {
  try {
    const text = cronstrue.toString(plain, { use24HourTimeFormat: true, dayOfWeekStartIndexZero: true })
    return text.replace(', and on ', ' or on ')
  } catch {
    return plain
  }
}
