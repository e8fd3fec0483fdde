import { isUtf8 } from 'node:buffer'
import { isDeepStrictEqual } from 'node:util'
import { countMembers, findRepeatedKey, type MayRepeat, scanJson } from '#platform/json'
import { isObject, type JsonObject } from './json-object.ts'
import type { WebhookHeaders } from './port.ts'

export type JsonBody =
  /** `note`: what a person should know of it. */
  | { readonly ok: true; readonly payload: JsonObject; readonly note?: string }
  | { readonly ok: false; readonly reason: string }

/**
 * Providers nest about ten deep. Deeper bodies exist only to overflow someone's recursion, and bodies with more members
 * or values only to keep a processor busy. A million different keys cost 300 ms. The largest push that GitHub sends has
 * some 50,000 members, and a body of 25 MB that lists paths has room for 600,000 of them.
 */
const LIMITS = { depth: 64, members: 250_000, values: 1_000_000 }

/**
 * The JSON object in a delivery's body, read strictly: `application/json` in UTF-8, no content encoding, and within the
 * limits of depth and size. No object holds a key twice with two values, because readers disagree on which one counts.
 * Integers beyond 2^53 come as strings of their digits. A key named `__proto__` is an ordinary key here and sets no
 * prototype.
 */
export function readJsonBody(headers: WebhookHeaders, rawBody: Buffer): JsonBody {
  const problem = mediaProblem(headers)
  if (problem !== undefined) return { ok: false, reason: problem }
  if (rawBody.length === 0) return { ok: false, reason: 'The body is empty.' }
  if (!isUtf8(rawBody)) return { ok: false, reason: 'The body is not valid UTF-8.' }

  const text = rawBody.toString('utf8')
  const scan = scanJson(text, LIMITS)
  if (scan.depth > LIMITS.depth) {
    return { ok: false, reason: `The body nests objects and arrays more than ${LIMITS.depth} levels deep.` }
  }
  if (scan.members > LIMITS.members || scan.values > LIMITS.values) {
    return {
      ok: false,
      reason: `The body has more than ${LIMITS.members} keys or ${LIMITS.values} values.`,
    }
  }
  const parsed = parse(text, scan.longNumbers)
  if (!parsed.ok) return { ok: false, reason: parsed.reason }
  if (!isObject(parsed.value)) return { ok: false, reason: 'The body is JSON, but not an object.' }
  if (countMembers(parsed.value) === scan.members) return { ok: true, payload: parsed.value }
  if (findRepeatedKey(text, withEqualValues(scan.longNumbers)) !== undefined) {
    return { ok: false, reason: 'An object in the body holds the same key twice, with two values.' }
  }
  return { ok: true, payload: parsed.value, note: 'The body holds a key twice with one value, which counts once.' }
}

/**
 * A stored body for display. A body that is no JSON, or nests deeper than deliveries may, stays text, so that no writer
 * of it overflows. Long numbers come as in a reading.
 */
export function readStored(text: string): unknown {
  const scan = scanJson(text, LIMITS)
  if (scan.depth > LIMITS.depth) return text
  const parsed = parse(text, scan.longNumbers)
  return parsed.ok ? parsed.value : text
}

/** The JSON that an API answered, within the same limits of depth and size; long integers come as their digits. */
export function readAnswer(text: string): Parsed {
  const scan = scanJson(text, LIMITS)
  const tooMuch = scan.depth > LIMITS.depth || scan.members > LIMITS.members || scan.values > LIMITS.values
  return tooMuch ? { ok: false, reason: 'The JSON is too deep or too large.' } : parse(text, scan.longNumbers)
}

/** The headers that decide how any forge reads the body. */
export const MEDIA_HEADERS = ['content-type', 'content-encoding'] as const

/** Values are parsed once more to be compared; no real body repeats more than a few short ones. */
const MOST_COMPARED = 1024 * 1024

function withEqualValues(longNumbers: boolean): MayRepeat {
  let left = MOST_COMPARED
  return (earlier, later) => {
    left -= earlier.length + later.length
    return left >= 0 && isDeepStrictEqual(parse(earlier, longNumbers), parse(later, longNumbers))
  }
}

function mediaProblem(headers: WebhookHeaders): string | undefined {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    return 'The body has a Content-Encoding; send it uncompressed.'
  }
  const contentType = headers['content-type']
  if (contentType === 'application/json') return undefined
  if (typeof contentType !== 'string' || contentType === '') {
    return 'The delivery has no Content-Type; it must be application/json.'
  }
  const [media = '', ...parameters] = contentType.toLowerCase().split(';')
  if (media.trim() === 'application/x-www-form-urlencoded') {
    return 'The delivery is form-encoded; set the content type of the webhook to application/json at the provider.'
  }
  if (media.trim() !== 'application/json') {
    return 'The Content-Type must be application/json; set it in the webhook at the provider.'
  }
  for (const parameter of parameters) {
    const [key = '', value = ''] = parameter.split('=')
    if (key.trim() === 'charset' && !/^\s*"?utf-?8"?\s*$/.test(value)) {
      return 'The charset of the body must be utf-8.'
    }
  }
  return undefined
}

type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string }

function parse(text: string, longNumbers: boolean): Parsed {
  try {
    return { ok: true, value: longNumbers ? JSON.parse(text, keepDigits) : JSON.parse(text) }
  } catch (error) {
    // The parser's own message quotes the body, which may hold anything: only the position is taken from it.
    const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined
    return {
      ok: false,
      reason: `The body is not valid JSON${position === undefined ? '' : ` (at position ${position})`}.`,
    }
  }
}

/** A reviver: four times as slow as none, so that only bodies with very long numbers pay for it. */
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source
  return source !== undefined && /^-?\d+$/.test(source) ? source : value
}
