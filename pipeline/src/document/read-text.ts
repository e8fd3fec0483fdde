import type { DocumentLimits } from './limits.ts'
import type { ProblemList } from './problem.ts'

const START = { line: 1, column: 1 }
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]/

/** Bytes or text as well-formed text within the size limit; undefined after a problem. */
export function readText(
  input: string | Uint8Array,
  limits: DocumentLimits,
  problems: ProblemList,
): string | undefined {
  const bytes = typeof input === 'string' ? utf8Length(input) : input.length
  if (bytes > limits.bytes) {
    const message = `the document has ${bytes} bytes; at most ${limits.bytes} are allowed: move long scripts into files of the repository`
    problems.add('too_large', '', START, message)
    return undefined
  }
  const text = decode(input)
  if (text === undefined || !text.isWellFormed()) {
    problems.add('not_text', '', START, 'the document is not valid UTF-8: save it in that encoding')
    return undefined
  }
  const control = FORBIDDEN.exec(text)
  if (control === null) return text
  const before = text.slice(0, control.index)
  const position = { line: before.split('\n').length, column: control.index - before.lastIndexOf('\n') }
  const code = text.charCodeAt(control.index)
  const message =
    code === 0xfffd
      ? 'here stands U+FFFD, the mark of bytes that were not UTF-8: save the document in that encoding'
      : `here stands the control character U+${code.toString(16).toUpperCase().padStart(4, '0')}: remove it, or write it as an escape in a "quoted" value`
  problems.add('not_text', '', position, message)
  return undefined
}

function decode(input: string | Uint8Array): string | undefined {
  if (typeof input === 'string') return input
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(input)
  } catch {
    return undefined
  }
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length
}
