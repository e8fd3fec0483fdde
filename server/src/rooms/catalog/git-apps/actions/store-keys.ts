import { createPublicKey } from 'node:crypto'
import type { GitAppProvider } from '@signalbox/contracts/git-apps'
import { SealBroken, sha256 } from '#platform/crypto'
import type { Queryable, Tx } from '#platform/database'
import type { Means } from '../means.ts'
import { rotate, sealContext } from '../rules/keys.ts'
import { deleteKeys, insertKey, type KeyRow, listKeys } from '../store/keys.ts'

export interface NewKey {
  readonly provider: GitAppProvider
  readonly kind: KeyRow['kind']
  readonly value: string
}

/** The row of the app is locked. A key that is known already changes nothing, but for the others that are to end. */
export async function storeKey(means: Means, tx: Tx, key: NewKey, keepPrevious: boolean): Promise<void> {
  const { provider, kind, value } = key
  const live = (await listKeys(tx, provider)).filter((known) => known.kind === kind)
  const fingerprint = fingerprintOf(key)
  const { place, ended } = rotate(live, fingerprint, keepPrevious)
  await deleteKeys(tx, ended)
  if (place === undefined) return
  const id = means.ids.next()
  const { keyVersion } = means.sealer
  const sealed = means.sealer.seal(value, sealContext(id))
  await insertKey(tx, { id, provider, kind, place, sealed, keyVersion, fingerprint, createdAt: means.clock.now() })
}

/** Newest first. One that does not open is left out and reported. */
export async function openKeys(
  means: Means,
  db: Queryable,
  provider: GitAppProvider,
  kind: KeyRow['kind'],
): Promise<readonly { readonly value: string; readonly fingerprint: string }[]> {
  const rows = (await listKeys(db, provider)).filter((row) => row.kind === kind)
  return rows.flatMap(({ id, sealed, fingerprint }) => {
    try {
      return [{ value: means.sealer.open(sealed, sealContext(id)), fingerprint }]
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
      means.log.error({ err: error, provider, key: id }, 'a key of an app does not open')
      return []
    }
  })
}

/** GitHub shows the SHA-256 of the public key beside each key. Of a secret only the first digits: it may be a short one. */
function fingerprintOf({ kind, value }: NewKey): string {
  if (kind === 'webhook_secret') return sha256(value).toString('hex').slice(0, 12)
  return sha256(createPublicKey(value).export({ type: 'spki', format: 'der' })).toString('hex')
}
