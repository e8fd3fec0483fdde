import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router'
import { type LineRange, readRange, writeRange } from './log-entry.ts'

/** What the address says of the log: the chosen lines, and what is searched for. */
export interface LogAddress {
  readonly chosen: LineRange | undefined
  readonly text: string
  readonly isExpression: boolean
}

export function readLogAddress(search: Readonly<Record<string, unknown>>): LogAddress {
  const { line, find, expression } = search
  return {
    chosen: readRange(line),
    text: typeof find === 'string' || typeof find === 'number' ? String(find) : '',
    isExpression: expression === true,
  }
}

/** The path with what the log keeps in it; all else of the address stays. */
export function writeLogAddress(href: string, { chosen, text, isExpression }: LogAddress): string {
  const [path = '', query = ''] = href.split('?')
  const search = {
    ...defaultParseSearch(query),
    line: chosen && writeRange(chosen),
    find: text === '' ? undefined : text,
    expression: text !== '' && isExpression ? true : undefined,
  }
  return `${path}${defaultStringifySearch(search)}`
}

/** Answers the address of each line: they differ in the line alone. */
export function linesAt(href: string): (range: LineRange) => string {
  const [path = '', query = ''] = href.split('?')
  const rest = defaultStringifySearch({ ...defaultParseSearch(query), line: undefined })
  const prefix = `#${path}${rest}${rest === '' ? '?' : '&'}line=`
  return (range) => prefix + encodeURIComponent(writeRange(range))
}
