import { isObject, type JsonObject } from './json-object.ts'

/**
 * Readers of single payload values: each gives null (or nothing) for an absent value or one of another type, and never
 * throws.
 */

const MAX_NAME = 1_000
const MAX_URL = 4_096
const EMPTY: JsonObject = Object.freeze({})

/** A child object; an empty one where there is none, so that its fields read as absent. */
export function child(parent: JsonObject, key: string): JsonObject {
  const value = parent[key]
  return isObject(value) ? value : EMPTY
}

/** The objects of a list; whatever else the list holds is left out. */
export function children(parent: JsonObject, key: string): readonly JsonObject[] {
  const value = parent[key]
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Text, cut at `max` UTF-16 units, in a form that PostgreSQL can store: no NUL, no lone surrogate. */
export function text(parent: JsonObject, key: string, max: number = MAX_NAME): string | null {
  const value = parent[key]
  return typeof value === 'string' ? storable(value, max) : null
}

/** As `text`, but empty text counts as absent. */
export function name(parent: JsonObject, key: string): string | null {
  const value = text(parent, key)
  return value === '' ? null : value
}

export function flag(parent: JsonObject, key: string): boolean | null {
  const value = parent[key]
  return typeof value === 'boolean' ? value : null
}

/** A positive whole number, such as the number of a pull request. */
export function count(parent: JsonObject, key: string): number | null {
  const value = parent[key]
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null
}

/** An id as text. Long integers keep their digits, because the body's reader hands them over as text. */
export function id(parent: JsonObject, key: string): string | null {
  const value = parent[key]
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null
  return name(parent, key)
}

/** An http or https address for people to open; null for any other scheme, so that no page ever links to a script. */
export function webUrl(parent: JsonObject, key: string): string | null {
  const value = parent[key]
  return typeof value === 'string' &&
    value.length <= MAX_URL &&
    /^https?:\/\/[^\s\p{Cc}\\@/?#]+(?:[/?#][^\s\p{Cc}\\]*)?$/iu.test(value)
    ? value.toWellFormed()
    : null
}

/**
 * Where a repository is cloned from, as the delivery says it, without the user and password of an http address. The text
 * is kept even where it is no address: then no run starts, and the trace can say why. Empty text counts as absent.
 */
export function cloneUrl(parent: JsonObject, key: string): string | null {
  const value = parent[key]
  if (typeof value !== 'string' || value === '') return null
  // A NUL cannot be stored. A space in its place is refused just the same.
  const written = value.replace(/^(https?:\/\/)[^/?#]*@/i, '$1').replaceAll('\0', ' ')
  return written.slice(0, MAX_URL).toWellFormed()
}

/** A time as RFC 3339 in UTC with milliseconds, from RFC 3339 text, `2026-11-21 08:00:00 UTC` or seconds since 1970. */
export function moment(parent: JsonObject, key: string): string | null {
  const value = parent[key]
  if (typeof value === 'number') return formatMoment(value * 1_000)
  // The time stays a text, as most providers write it. A Date would hold the same, and a push has one for each commit.
  if (typeof value === 'string' && UTC.test(value)) return value.length === 24 ? value : `${value.slice(0, 19)}.000Z`
  if (typeof value !== 'string') return null
  const written = value.replace(/^(\d{4}-\d{2}-\d{2}) ([\d:.]+) UTC$/, '$1T$2Z')
  if (!/^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})$/.test(written)) return null
  return formatMoment(Date.parse(written))
}

/** In UTC, to the second or the millisecond, from 1970 on, and a day that every month has. */
const UTC =
  /^(?:19[7-9]|[2-9]\d\d)\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z$/
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

function formatMoment(milliseconds: number): string | null {
  const possible = milliseconds >= 0 && milliseconds <= LAST_MOMENT
  return possible ? new Date(milliseconds).toISOString() : null
}

function storable(value: string, max: number): string {
  const cut = value.length > max ? value.slice(0, max) : value
  const wellFormed = cut.isWellFormed() ? cut : cut.toWellFormed()
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\uFFFD') : wellFormed
}
