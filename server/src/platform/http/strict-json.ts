import { countMembers, findRepeatedKey, scanJson } from '#platform/json'
import { platformProblem } from '#platform/problems'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const LIMITS = { depth: 64, members: Infinity, values: Infinity }

/**
 * JSON as RFC 8259 means it and nothing softer: UTF-8 only, no duplicate names, no NUL (PostgreSQL cannot store it),
 * bounded nesting. Section 4 leaves the meaning of duplicate names open: two readers could see two documents.
 * Throws invalid_request with a sentence.
 */
export function parseJsonStrictly(body: Uint8Array): unknown {
  if (body.length === 0) throw wrong('The body is empty: send a JSON document.')
  const text = decode(body)
  const { depth, members } = scanJson(text, LIMITS)
  if (depth > LIMITS.depth) throw wrong(`The body is nested deeper than ${LIMITS.depth} levels.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw wrong('The body is not valid JSON.', cause)
  }
  if (countMembers(value) !== members) {
    const name = findRepeatedKey(text, () => false) ?? ''
    throw wrong(`The body has the field "${name.slice(0, 100)}" twice in one object.`)
  }
  // Such characters come as escapes only: the text itself is UTF-8, and JSON allows no control characters in it.
  if (/\\u(?:0000|d[89a-f])/i.test(text)) checkTexts(value)
  return value
}

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body)
  } catch (cause) {
    throw wrong('The body is not valid UTF-8: send JSON in UTF-8.', cause)
  }
}

/** The texts of a value, and its names. */
function checkTexts(value: unknown): void {
  if (typeof value === 'string') checkText(value)
  else if (Array.isArray(value)) for (const item of value) checkTexts(item)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      checkText(name)
      checkTexts(item)
    }
  }
}

function checkText(text: string): void {
  if (text.includes('\0')) throw wrong('The body holds the character U+0000, which cannot be stored: leave it out.')
  if (!text.isWellFormed()) throw wrong('The body holds half of a surrogate pair: send whole characters.')
}

function wrong(detail: string, cause?: unknown): Error {
  return platformProblem('invalid_request', detail, { cause, errors: [{ field: 'body', message: detail }] })
}
