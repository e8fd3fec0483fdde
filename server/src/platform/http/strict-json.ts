import { platformProblem } from '#platform/problems'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const MAX_DEPTH = 64

/**
 * JSON as RFC 8259 means it and nothing softer: UTF-8 only, no duplicate names (section 4 leaves their meaning open,
 * so two readers may see two documents), no NUL (PostgreSQL cannot store it), bounded nesting.
 * Throws invalid_request with a sentence.
 */
export function parseJsonStrictly(body: Uint8Array): unknown {
  if (body.length === 0) throw wrong('The body is empty: send a JSON document.')
  const text = decode(body)
  checkStructure(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw wrong('The body is not valid JSON.', cause)
  }
  return value
}

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body)
  } catch (cause) {
    throw wrong('The body is not valid UTF-8: send JSON in UTF-8.', cause)
  }
}

/** One pass over the text: depth, duplicate names of each object, escaped NUL and lone surrogates. */
function checkStructure(text: string): void {
  const names: (Set<string> | undefined)[] = []
  let expectsName = false
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x7b: // {
        names.push(new Set())
        expectsName = true
        break
      case 0x5b: // [
        names.push(undefined)
        expectsName = false
        break
      case 0x7d:
      case 0x5d:
        names.pop()
        expectsName = false
        break
      case 0x2c: // ,
        expectsName = names.at(-1) !== undefined
        break
      case 0x22: {
        const end = endOfString(text, i)
        const string = text.slice(i, end + 1)
        if (expectsName) {
          noteName(names.at(-1), string)
          expectsName = false
        }
        if (/\\u0000/i.test(string))
          throw wrong('The body holds the character U+0000, which cannot be stored: leave it out.')
        if (/\\ud[89a-f]/i.test(string)) checkSurrogates(string)
        i = end
        break
      }
    }
    if (names.length > MAX_DEPTH) throw wrong(`The body is nested deeper than ${MAX_DEPTH} levels.`)
  }
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x5c) i++
    else if (code === 0x22) return i
  }
  throw wrong('The body is not valid JSON.')
}

function noteName(names: Set<string> | undefined, quoted: string): void {
  if (!names) return
  const name = parseString(quoted)
  if (names.has(name)) throw wrong(`The body has the field "${name.slice(0, 100)}" twice in one object.`)
  names.add(name)
}

function checkSurrogates(quoted: string): void {
  if (!parseString(quoted).isWellFormed())
    throw wrong('The body holds half of a surrogate pair: send whole characters.')
}

function parseString(quoted: string): string {
  try {
    const value: unknown = JSON.parse(quoted)
    return typeof value === 'string' ? value : ''
  } catch (cause) {
    throw wrong('The body is not valid JSON.', cause)
  }
}

function wrong(detail: string, cause?: unknown): Error {
  return platformProblem('invalid_request', detail, { cause, errors: [{ field: 'body', message: detail }] })
}
