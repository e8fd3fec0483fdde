import { InvalidArgumentError } from 'commander'
import { CommandFailed } from '../errors.ts'

/** Splits a name at its last slash. Throws CommandFailed unless something is on both sides. */
export function splitName(given: string, form: string): readonly [above: string, name: string] {
  const at = given.lastIndexOf('/')
  if (at > 0 && at < given.length - 1) return [given.slice(0, at), given.slice(at + 1)]
  throw new CommandFailed('usage', `"${given}" is not ${form}.`)
}

/** For commander: collects `--var name=value`, given any number of times. The value may hold further `=`. */
export function collectPair(argument: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = argument.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('The value must be name=value.')
  return { ...before, [argument.slice(0, at)]: argument.slice(at + 1) }
}

/** For commander: collects an option that may be given any number of times, or as a list with commas. */
export function collectList(argument: string, before: readonly string[] = []): readonly string[] {
  return [
    ...before,
    ...argument
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  ]
}

export function readLimit(argument: string): number {
  return readWhole(argument, 1, 10_000)
}

/** The number of a line of a log, from 0. */
export function readLineNumber(argument: string): number {
  return readWhole(argument, 0, 1_000_000_000_000)
}

/** How many lines are shown beside another. */
export function readBeside(argument: string): number {
  return readWhole(argument, 0, 250)
}

/** The number that one request may name. */
export function readBatchLimit(argument: string): number {
  return readWhole(argument, 1, 500)
}

/** The number of instants that one preview answers. */
export function readPreviewLimit(argument: string): number {
  return readWhole(argument, 1, 200)
}

/** The number of past runs on which one trial is made. */
export function readTrialLimit(argument: string): number {
  return readWhole(argument, 1, 200)
}

/** How many runs of a backfill at a time. */
export function readConcurrency(argument: string): number {
  return readWhole(argument, 1, 50)
}

export function readRate(argument: string): number {
  return readWhole(argument, 1, 1_000_000)
}

export function readMegabytes(argument: string): number {
  return readWhole(argument, 1, 1_048_576)
}

/** A quota in megabytes; null for `default`. */
export function readQuota(argument: string): number | null {
  return argument === 'default' ? null : readWhole(argument, 0, 900_000_000)
}

export function readVersion(argument: string): number {
  return readWhole(argument, 1, 2_147_483_647)
}

export function readPullRequest(argument: string): number {
  return readWhole(argument, 1, 2_147_483_647)
}

export function readSeconds(argument: string): number {
  return readWhole(argument, 0, 3600)
}

export function readPort(argument: string): number {
  return readWhole(argument, 0, 65_535)
}

/** For commander: a number above zero, such as 0.5. */
export function readAmount(argument: string): number {
  const value = Number(argument)
  if (/^\d+(\.\d+)?$/.test(argument) && value > 0) return value
  throw new InvalidArgumentError('The value must be a number above zero, such as 0.5.')
}

/** For commander: a moment with its offset, as RFC 3339 writes it; handed on as it is. */
export function readMoment(argument: string): string {
  const form = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/
  if (form.test(argument) && !Number.isNaN(Date.parse(argument))) return argument
  throw new InvalidArgumentError('The value must be a time such as 2027-01-01T00:00:00Z.')
}

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** For commander: a moment, or how long ago it was, such as 2h; handed on as a moment. */
export function readPast(argument: string): string {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(argument) ?? []
  if (unit === 'm' || unit === 'h' || unit === 'd') {
    return new Date(Date.now() - Number(count) * UNITS[unit]).toISOString()
  }
  try {
    return readMoment(argument)
  } catch {
    throw new InvalidArgumentError(
      'The value must be a time such as 2027-01-01T00:00:00Z, or how long ago: 30m, 2h, 7d.',
    )
  }
}

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** For commander: a length of time such as 90s, 5m, 24h or 7d; handed on in seconds. */
export function readDuration(argument: string): number {
  const [, count, unit] = /^(\d{1,7})([smhd])$/.exec(argument) ?? []
  if (unit === 's' || unit === 'm' || unit === 'h' || unit === 'd') return Number(count) * SECONDS[unit]
  throw new InvalidArgumentError('The value must be a length of time such as 90s, 5m, 24h or 7d.')
}

function readWhole(argument: string, least: number, most: number): number {
  const value = Number(argument)
  if (/^\d+$/.test(argument) && value >= least && value <= most) return value
  throw new InvalidArgumentError(`The value must be a whole number from ${least} to ${most}.`)
}
