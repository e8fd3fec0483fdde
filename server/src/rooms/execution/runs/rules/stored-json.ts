import type { Ending, Json } from '@signalbox/pipeline/status'
import type { PinnedProfile } from '#rooms/catalog/pipelines'

/** jsonb comes back as unknown; these read what this room wrote, and drop what it did not. */

export function readRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

export function readTexts(value: unknown): Readonly<Record<string, string>> {
  const texts: [string, string][] = []
  for (const [name, text] of Object.entries(readRecord(value))) if (typeof text === 'string') texts.push([name, text])
  return Object.fromEntries(texts)
}

export function readJson(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  if (Array.isArray(value)) return value.map(readJson)
  if (typeof value !== 'object') return null
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, readJson(part)]))
}

/** What a container of an attempt was made of. */
export interface RanImage {
  /** Null: the container of the task itself. */
  readonly service: string | null
  readonly image: string
  readonly digest: string
}

export function readImages(value: unknown): readonly RanImage[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((each: unknown) => {
    const { service, image, digest } = readRecord(each)
    if (typeof image !== 'string' || typeof digest !== 'string') return []
    return [{ service: typeof service === 'string' ? service : null, image, digest }]
  })
}

export function readRequirement(value: unknown): { executor: 'host' | 'container'; labels: readonly string[] } {
  const { executor, labels } = readRecord(value)
  return {
    executor: executor === 'container' ? 'container' : 'host',
    labels: Array.isArray(labels) ? labels.filter((label) => typeof label === 'string') : [],
  }
}

/** The only runner that may have the attempt: it has the workspace that the tasks of its step share. */
export function readPinnedRunner(requirement: unknown): string | undefined {
  const { runner } = readRecord(requirement)
  return typeof runner === 'string' ? runner : undefined
}

export function readEnding(value: unknown): Ending | null {
  const { status, reason } = readRecord(value)
  if (status !== 'canceled' && status !== 'timed_out' && status !== 'failure') return null
  return { status, reason: typeof reason === 'string' ? reason : '' }
}

export function readResources(value: unknown): PinnedProfile['resources'] {
  const { cpus, memory_mb } = readRecord(value)
  return {
    ...(typeof cpus === 'number' ? { cpus } : {}),
    ...(typeof memory_mb === 'number' ? { memory_mb } : {}),
  }
}

/** Profiles as a run pins them, by the name in its document. */
export function readProfiles(value: unknown): Readonly<Record<string, PinnedProfile>> {
  return Object.fromEntries(
    Object.entries(readRecord(value)).map(([name, entry]) => {
      const { requirement, environment, image, resources } = readRecord(entry)
      const profile = {
        requirement: readRequirement(requirement),
        environment: readTexts(environment),
        image: typeof image === 'string' ? image : null,
        resources: readResources(resources),
      }
      return [name, profile]
    }),
  )
}
