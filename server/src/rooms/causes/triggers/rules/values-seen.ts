import type { Event } from '@signalbox/contracts/event'
import type { Expression } from '@signalbox/pipeline/expressions'

const MAX_VALUES = 8
const MAX_VALUE = 80

/**
 * The values of an event that an expression reads, as a sentence such as `event.branch is "main"`. The text is bounded,
 * because strangers write most of these values. Undefined: the expression reads nothing of the event.
 */
export function describeSeen({ references }: Expression, event: Event): string | undefined {
  const paths = new Map(references.filter(([root]) => root === 'event').map((path) => [path.join('.'), path]))
  if (paths.size === 0) return undefined
  const values = [...paths].slice(0, MAX_VALUES).map(([text, path]) => `${text} is ${show(follow(event, path))}`)
  return `${values.join(', ')}${paths.size > MAX_VALUES ? `, and ${paths.size - MAX_VALUES} more` : ''}.`
}

function follow(event: Event, [, ...names]: readonly string[]): unknown {
  let value: unknown = event
  for (const name of names) {
    if (Array.isArray(value)) return value
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    value = Reflect.get(value, name)
  }
  return value
}

function show(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value !== 'string') return String(value ?? null)
  const shown = value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE - 1).toWellFormed()}…` : value
  return JSON.stringify(shown)
}
