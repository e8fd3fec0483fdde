import { SealBroken } from '#platform/crypto'
import type { Means } from '../means.ts'
import { sealContext } from '../rules/keys.ts'
import { claimSealedBefore, replaceSealed } from '../store/keys.ts'

/**
 * Seals anew what older versions of secret_key sealed, so that an old key can be taken out of the configuration. A key
 * that does not open is left as it is and reported.
 */
export async function resealKeys(means: Pick<Means, 'sealer' | 'database' | 'log'>): Promise<void> {
  const { sealer } = means
  let count = 0
  await means.database.transaction(async (tx) => {
    for (const { id, provider, sealed } of await claimSealedBefore(tx, sealer.keyVersion)) {
      try {
        const value = sealer.open(sealed, sealContext(id))
        await replaceSealed(tx, { id, sealed: sealer.seal(value, sealContext(id)), keyVersion: sealer.keyVersion })
        count += 1
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error
        means.log.error({ err: error, provider, key: id }, 'a key of an app does not open')
      }
    }
  })
  if (count > 0) means.log.info({ count, keyVersion: sealer.keyVersion }, 'keys of Git apps were sealed anew')
}
