/**
 * Where bytes lie that are too large for the database. Objects are written whole, never changed, and at most some MiB
 * large: writers cut larger data into parts.
 */
export interface ObjectStore {
  /**
   * Resolves when the object is durable. A second call with the key replaces the object. Rejects with
   * `ObjectStoreFailed`.
   */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Undefined when there is no such object. */
  get(key: string): Promise<Buffer | undefined>
  /** Missing objects are passed over. */
  delete(keys: readonly string[]): Promise<void>
  /** Resolves when objects can be written and read. */
  check(): Promise<void>
}

/** `message` is a sentence for an operator, without a credential. `full`: there is no space left. */
export class ObjectStoreFailed extends Error {
  override readonly name = 'ObjectStoreFailed'
  readonly code = 'object_store.failed'
  readonly full: boolean

  constructor(message: string, options: { readonly full?: boolean; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.full = options.full ?? false
  }
}

const KEY = /^[a-z0-9][a-z0-9_-]*(?:\/[a-z0-9][a-z0-9_-]*){0,7}$/

/** Keys are made by us, never by a user; this is the proof. Throws RangeError. */
export function requireKey(key: string): string {
  if (KEY.test(key)) return key
  throw new RangeError(`${JSON.stringify(key.slice(0, 80))} cannot be the key of an object`)
}
