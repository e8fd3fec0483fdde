import type { Queryable } from '#platform/database'
import { createIds } from '#platform/ids'
import type { Kit } from '#platform/room'
import type { AboveSecrets } from './means.ts'
import { sealContext } from './rules.ts'
import * as store from './store.ts'

/** Where no room stands on secrets. */
export const NOTHING_ABOVE: AboveSecrets = { secretsChanged: () => undefined, findUsers: async () => [] }

const ids = createIds(Date.now)

/** Stores a secret of a team that exists; answers its id. */
export async function aSecret(
  kit: Kit,
  db: Queryable,
  secret: {
    readonly teamPath: string
    readonly name: string
    readonly value: string
    readonly environments?: readonly string[]
  },
): Promise<string> {
  const id = ids.next()
  const at = new Date()
  const { teamPath, name, environments = [] } = secret
  const times = { createdAt: at, updatedAt: at, lastUsedAt: null }
  await store.insertSecret(db, { id, teamPath, name, version: 1, environments, ...times })
  await store.insertVersion(db, {
    secretId: id,
    version: 1,
    sealed: kit.sealer.seal(secret.value, sealContext(id, 1)),
    keyVersion: kit.sealer.keyVersion,
    createdAt: at,
  })
  return id
}
