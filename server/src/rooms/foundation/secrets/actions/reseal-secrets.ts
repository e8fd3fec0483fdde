import { SealBroken } from '#platform/crypto'
import type { Means } from '../means.ts'
import { sealContext } from '../rules.ts'
import * as store from '../store.ts'

const BATCH = 100

/**
 * Seals anew what older keys sealed, so that an old key can be taken out of the configuration. Answers how many.
 * A secret that does not open is left as it is and reported; the rest goes on.
 */
export async function resealSecrets(means: Means, signal: AbortSignal): Promise<number> {
  let done = 0
  let last: store.SealedVersion | undefined
  while (!signal.aborted) {
    const batch = await resealBatch(means, last)
    done += batch.resealed
    last = batch.last
    if (!last) break
  }
  if (done > 0) means.log.info({ count: done, keyVersion: means.sealer.keyVersion }, 'stored secrets were sealed anew')
  return done
}

interface Batch {
  readonly resealed: number
  /** Undefined when nothing is left. */
  readonly last: store.SealedVersion | undefined
}

function resealBatch(means: Means, after: store.SealedVersion | undefined): Promise<Batch> {
  return means.database.transaction(async (tx) => {
    const claimed = await store.claimSealedBefore(tx, means.sealer.keyVersion, after, BATCH)
    let resealed = 0
    for (const row of claimed) {
      const context = sealContext(row.secretId, row.version)
      try {
        const sealed = means.sealer.seal(means.sealer.open(row.sealed, context), context)
        await store.replaceSealed(tx, { ...row, sealed, keyVersion: means.sealer.keyVersion })
        resealed += 1
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error
        means.log.error({ err: error, secretId: row.secretId, version: row.version }, 'a stored secret does not open')
      }
    }
    return { resealed, last: claimed.at(-1) }
  })
}

/** Whether the configured keys open what is stored: a sentence when they do not. */
export async function findKeyFault(means: Means): Promise<string | undefined> {
  for (const row of await store.sampleSealed(means.database.kysely)) {
    try {
      means.sealer.open(row.sealed, sealContext(row.secretId, row.version))
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
      return `Secrets that key version ${row.keyVersion} sealed do not open with the configured secret_key.`
    }
  }
  return undefined
}
