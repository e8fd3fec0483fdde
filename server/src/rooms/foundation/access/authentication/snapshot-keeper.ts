import { createFreshCopy, type FreshCopy } from '#platform/database'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { Teams } from '#rooms/foundation/teams'
import {
  type AccessSnapshot,
  createSnapshot,
  type Subject,
  type SubjectKind,
  type SubjectToken,
} from '../rules/snapshot.ts'
import * as store from '../store/snapshot.ts'

/** Used without a look at the database for so long. */
const FRESH_MS = 5000
/** An older snapshot is used by nobody, whatever the reason. */
const USABLE_MS = 30_000
/** A database that hangs must not hold requests for longer than this. */
const LOOK_TIMEOUT_MS = 3000
const CHANNEL = 'access_changed'

/** The current answer to "who may do what". `get` and `getNew` throw authorization_unavailable (503) when it is not known. */
export interface SnapshotKeeper extends FreshCopy<AccessSnapshot> {
  /**
   * Undefined for a subject that does not exist or is disabled. One that was made a moment ago, after the snapshot, is found.
   */
  findSubject(
    who: { readonly kind: SubjectKind; readonly id: string },
    token?: SubjectToken,
  ): Promise<Subject | undefined>
  /** Calls back when a change was announced, by this process or another; answers how to stop listening. */
  onChange(listener: () => void): () => void
}

export function keepSnapshot({ clock, database }: Kit, teams: Teams): SnapshotKeeper {
  const copy = createFreshCopy({
    database,
    clock,
    channel: CHANNEL,
    maxAgeMs: FRESH_MS,
    outageMaxAgeMs: USABLE_MS,
    timeoutMs: LOOK_TIMEOUT_MS,
    revision: async (db) => (await store.readRevision(db)).revision,
    load: async (db) => createSnapshot({ ...(await store.loadSnapshot(db)), scopes: await teams.listScopes(db) }),
  })
  const get = (): Promise<AccessSnapshot> => copy.get().catch(refuse)
  const getNew = (): Promise<AccessSnapshot> => copy.getNew().catch(refuse)
  return {
    ...copy,
    get,
    getNew,
    findSubject: async ({ kind, id }, token) =>
      (await get()).subject(kind, id, token) ?? (await getNew()).subject(kind, id, token),
    onChange: (listener) => database.notifications.listen(CHANNEL, listener),
  }
}

function refuse(cause: unknown): never {
  throw platformProblem(
    'authorization_unavailable',
    'Permissions cannot be read right now, so nothing was done. Send the request again.',
    { cause, headers: { 'retry-after': '2' } },
  )
}
