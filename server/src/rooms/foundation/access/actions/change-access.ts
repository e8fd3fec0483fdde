import type { Passwords } from '#platform/crypto'
import type { Tx } from '#platform/database'
import type { RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { accessProblem } from '../errors.ts'
import type { AccessNeeds } from '../index.ts'
import * as store from '../store/snapshot.ts'
import type { SnapshotKeeper } from './keep-snapshot.ts'

/** What the actions of this room share. */
export interface AccessMeans extends AccessNeeds {
  readonly kit: Kit
  readonly keeper: SnapshotKeeper
  readonly passwords: Passwords
}

/** One change of who may do what: in one transaction, and seen by the next request of this process. */
export async function changeAccess<T>(means: AccessMeans, work: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await means.kit.database.transaction(work)
  means.keeper.invalidate()
  return result
}

/**
 * The same for a change that takes something away: refused where it would leave nobody who can give it back. While the
 * bootstrap token works, there is somebody.
 */
export function takeAccess<T>(means: AccessMeans, work: (tx: Tx) => Promise<T>): Promise<T> {
  return changeAccess(means, async (tx) => {
    const { bootstrapRevoked } = await store.lockRevision(tx)
    const before = await store.countAdministrators(tx)
    const result = await work(tx)
    if (bootstrapRevoked && before > 0 && (await store.countAdministrators(tx)) === 0) {
      throw accessProblem('access.last_administrator', 'Make another administrator first: this is the last one.')
    }
    return result
  })
}

/** Users and groups belong to the platform, not to a team. */
export function requirePlatform(origin: Pick<RequestOrigin, 'caller'>, permission: string): void {
  if (origin.caller.can(permission, '/')) return
  throw platformProblem('forbidden', `You need the permission ${permission} on the platform ("/").`)
}
