import type { Clock } from '#platform/time'

/** The database did not say in time whether the copy is still true. */
export class CopyStale extends Error {
  override readonly name = 'CopyStale'
  readonly code = 'database.copy_stale'
}

/** The answer to a question to the database. Throws CopyStale when the answer takes longer; the question itself goes on. */
export async function answeredWithin<T>(clock: Clock, work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = clock.after(ms, () => late.reject(new CopyStale(`The database did not answer in ${ms} ms`)))
  try {
    return await Promise.race([work, late.promise])
  } finally {
    timer.cancel()
  }
}
