import type { AccessSnapshot } from '#rooms/foundation/access'
import type { LiveStream } from './live-stream.ts'

type Viewer = NonNullable<ReturnType<AccessSnapshot['subject']>>

/** What the viewer of a stream may hear of, by one snapshot. */
export interface Audience {
  readonly viewer: Viewer
  readonly account: string
  /** Who holds the same roles may hear of the same, where permissions alone are asked for. */
  readonly roles: string
  /** Changes whenever anything does that a change is judged by. */
  readonly rights: string
}

/** Each account is looked at once for each snapshot, however many streams it has. */
export class Audiences {
  readonly #bySnapshot = new WeakMap<AccessSnapshot, Map<string, Audience | undefined>>()

  /** Undefined where the viewer is gone. */
  of(snapshot: AccessSnapshot, { viewer: { kind, id } }: LiveStream): Audience | undefined {
    const known = this.#bySnapshot.get(snapshot) ?? new Map<string, Audience | undefined>()
    this.#bySnapshot.set(snapshot, known)
    const account = `${kind}:${id}`
    if (!known.has(account)) known.set(account, describe(snapshot, account, snapshot.subject(kind, id)))
    return known.get(account)
  }
}

function describe(snapshot: AccessSnapshot, account: string, viewer: Viewer | undefined): Audience | undefined {
  if (!viewer) return undefined
  const roles = JSON.stringify(snapshot.listRoles(viewer))
  return { viewer, account, roles, rights: JSON.stringify([roles, snapshot.calledBy(viewer)]) }
}
