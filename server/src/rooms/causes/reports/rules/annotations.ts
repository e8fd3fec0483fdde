import type { CheckAnnotation } from '#adapters/forges'

/** More of them would hide what matters; the summary says that there are more. */
export const MAX_ANNOTATIONS = 250

const LEVELS: ReadonlyMap<string, CheckAnnotation['level']> = new Map([
  ['error', 'failure'],
  ['warning', 'warning'],
  ['notice', 'notice'],
])

/** As RE2 reads it: lines that may be marks, for who looks through a log. */
export const MARKED = '^\\s*::(error|warning|notice) '

/** `::error file=src/a.ts,line=3,endLine=4,title=Wrong::message`, as many tools write it already. */
const MARK = /^\s*::(error|warning|notice) /

const MAX_PATH = 1024
const MAX_LINE = 1_000_000
const MAX_MESSAGE = 4000

/**
 * The mark that a line of a log sets at a file; undefined: it sets none. A mark needs a file within the repository. Without
 * a line it stands at the first one.
 */
export function readMark(line: string): CheckAnnotation | undefined {
  const [begin = '', word = ''] = MARK.exec(line) ?? []
  const level = LEVELS.get(word)
  const end = line.indexOf('::', begin.length)
  if (level === undefined || end === -1) return undefined
  const [words, text] = [line.slice(begin.length, end), line.slice(end + 2)]
  const properties = new Map(words.split(',').map(readProperty))
  const path = readPath(properties.get('file') ?? '')
  if (path === undefined) return undefined
  const startLine = readLine(properties.get('line')) ?? 1
  const title = clean(properties.get('title') ?? '')
  const message = clean(decode(text)).trim()
  return {
    path,
    startLine,
    endLine: Math.max(startLine, readLine(properties.get('endLine')) ?? startLine),
    level,
    title: title === '' ? null : title,
    // A provider refuses one without words.
    message: message === '' ? word : message,
  }
}

function readProperty(property: string): readonly [string, string] {
  const [key = '', ...value] = property.split('=')
  return [key.trim(), decode(value.join('=')).trim()]
}

/** Percent signs hide the characters that would end a property, a mark or a line. */
function decode(text: string): string {
  return text.replaceAll(/%(25|0D|0A|3A|2C)/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}

function readPath(file: string): string | undefined {
  const path = file.replace(/^\.\//, '')
  const segments = path.split('/')
  const leaves = segments.some((segment) => segment === '' || segment === '.' || segment === '..')
  return leaves || path.length > MAX_PATH || /[\p{Cc}\\]/u.test(path) ? undefined : path
}

function readLine(text: string | undefined): number | undefined {
  const line = text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : 0
  return line >= 1 && line <= MAX_LINE ? line : undefined
}

function clean(text: string): string {
  // Line ends are kept; a provider shows the message as plain text.
  const shown = text.replaceAll(/[^\P{Cc}\n]|\p{Cf}/gu, '').toWellFormed()
  return shown.length > MAX_MESSAGE ? `${shown.slice(0, MAX_MESSAGE - 1).toWellFormed()}\u2026` : shown
}
