import { artifactProblem } from '../errors.ts'

/** The object store, as the house hands it in. */
export interface ObjectPort {
  put(key: string, bytes: Uint8Array): Promise<void>
  get(key: string): Promise<Buffer | undefined>
  delete(keys: readonly string[]): Promise<void>
  check(): Promise<void>
}

/** A store that cannot be had is 503, with its own sentence: the runner tries again. Known by its code, not its class. */
export async function whenStored<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'object_store.failed') throw error
    throw artifactProblem('storage.unavailable', error.message, { cause: error, headers: { 'retry-after': '5' } })
  }
}
