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
  of(snapshot: AccessSnapshot, { viewer: { kind, id, token } }: LiveStream): Audience | undefined {
    const known = this.#bySnapshot.get(snapshot) ?? new Map<string, Audience | undefined>()
    this.#bySnapshot.set(snapshot, known)
    // A token with limits hears of less than its owner, and than other tokens of its owner.
    const account = token?.limits ? `${kind}:${id}:${token.id}` : `${kind}:${id}`
    if (!known.has(account)) {
      known.set(account, describe(snapshot, account, snapshot.subject(kind, id, token?.limits && token)))
    }
    return known.get(account)
  }
}

function describe(snapshot: AccessSnapshot, account: string, viewer: Viewer | undefined): Audience | undefined {
  if (!viewer) return undefined
  // The roles of a token with limits do not tell which permissions are left: it shares its audience with nobody.
  const roles = viewer.token?.limits ? account : JSON.stringify(snapshot.listRoles(viewer))
  return { viewer, account, roles, rights: JSON.stringify([roles, snapshot.calledBy(viewer)]) }
}
