import type { ItemOf } from '@signalbox/contracts/http/requests'
import type { logRoutes } from '@signalbox/contracts/logs/routes'

/** A line, or the mark of missing ones. */
export type LogEntry = ItemOf<typeof logRoutes.listLogLines>

export interface AttemptKey {
  readonly step: string
  readonly task: string
  readonly attempt: number
}

/** The name of a step never holds a slash. */
export function sectionOf({ step, task, attempt }: AttemptKey): string {
  return `${step}/${task}/${attempt}`
}

/** Lines of one attempt, as they stand in the address: `build/unit/1:12-20`. */
export interface LineRange {
  readonly section: string
  readonly first: number
  readonly last: number
}

export function writeRange({ section, first, last }: LineRange): string {
  return first === last ? `${section}:${first}` : `${section}:${first}-${last}`
}

export function readRange(text: unknown): LineRange | undefined {
  if (typeof text !== 'string') return undefined
  const [, section, first, last] = /^(.{3,500}):(\d{1,12})(?:-(\d{1,12}))?$/.exec(text) ?? []
  if (section === undefined || first === undefined) return undefined
  const [from, to] = [Number(first), Number(last ?? first)]
  return { section, first: Math.min(from, to), last: Math.max(from, to) }
}
