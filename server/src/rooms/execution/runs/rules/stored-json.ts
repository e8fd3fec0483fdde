import type { Json } from '@signalbox/pipeline/status'

/** jsonb comes back as unknown; these read what this room wrote, and drop what it did not. */

export function readRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

export function readJson(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  if (Array.isArray(value)) return value.map(readJson)
  if (typeof value !== 'object') return null
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, readJson(part)]))
}

/** The image of an attempt's container. */
export interface RanImage {
  /** Null: the container of the task itself. */
  readonly service: string | null
  readonly image: string
  readonly digest: string
}
