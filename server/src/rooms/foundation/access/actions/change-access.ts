import type { Tx } from '#platform/database'
import { accessProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import * as store from '../store/snapshot.ts'

/** One change of who may do what: in one transaction, and seen by the next request of this process. */
export function changeAccess<T>(means: Means, work: (tx: Tx) => Promise<T>): Promise<T> {
  return means.database.transaction(work, { afterCommit: () => means.keeper.invalidate() })
}

/**
 * As changeAccess, after every change of access that began before. So it cannot meet one of them crosswise: whoever
 * changes sessions raises the revision too, after the rows of the sessions.
 */
export function changeAccessInTurn<T>(means: Means, work: (tx: Tx) => Promise<T>): Promise<T> {
  return changeAccess(means, async (tx) => {
    await store.lockRevision(tx)
    return work(tx)
  })
}

/**
 * As changeAccess, for a change that takes rights away. A change that would leave no administrator is refused, unless the
 * bootstrap token still works.
 */
export function takeAccess<T>(means: Means, work: (tx: Tx) => Promise<T>): Promise<T> {
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
