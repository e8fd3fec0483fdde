import type { Queryable } from '#platform/database'
import { createIds } from '#platform/ids'
import type { Kit } from '#platform/room'
import type { AboveSecrets } from './index.ts'
import { sealContext } from './rules.ts'

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
  await db
    .insertInto('secrets')
    .values({
      id,
      team_path: secret.teamPath,
      name: secret.name,
      version: 1,
      environments: [...(secret.environments ?? [])],
      created_at: at,
      updated_at: at,
    })
    .execute()
  await db
    .insertInto('secret_versions')
    .values({
      secret_id: id,
      version: 1,
      sealed: kit.sealer.seal(secret.value, sealContext(id, 1)),
      key_version: kit.sealer.keyVersion,
      created_at: at,
    })
    .execute()
  return id
}
