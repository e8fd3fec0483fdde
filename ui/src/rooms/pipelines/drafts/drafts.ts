import { workKey } from '../../../client/kept-work.ts'

/** Unsaved work on a document, kept in the browser until it is saved or given up. */
export interface Draft {
  readonly text: string
  /** The version that the person began with, and its ETag; null of a new pipeline. */
  readonly version: number | null
  readonly etag: string | null
  /** When it was last changed. */
  readonly at: string
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The name under which the work of one person on one pipeline is kept. */
export function draftKey(userId: string, pipelineId: string): string {
  return workKey(userId, pipelineId)
}

/** The kept work; undefined where there is none, or where it cannot be read. */
export function readDraft(storage: Storage, key: string): Draft | undefined {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? 'null')
    if (typeof value !== 'object' || value === null) return undefined
    const { text, version, etag, at }: Partial<Record<keyof Draft, unknown>> = value
    if (typeof text !== 'string' || typeof at !== 'string') return undefined
    return {
      text,
      at,
      version: typeof version === 'number' ? version : null,
      etag: typeof etag === 'string' ? etag : null,
    }
  } catch {
    return undefined
  }
}

export function keepDraft(storage: Storage, key: string, draft: Draft): void {
  try {
    storage.setItem(key, JSON.stringify(draft))
  } catch {
    // A browser that stores nothing keeps the work while the page is open.
  }
}

export function dropDraft(storage: Storage, key: string): void {
  try {
    storage.removeItem(key)
  } catch {
    // Nothing was stored.
  }
}
