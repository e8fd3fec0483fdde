/** A live key as its row tells, without the key. */
export interface PlacedKey {
  readonly id: string
  readonly place: number
  readonly fingerprint: string
}

/** What becomes of the live keys of a kind when a new one comes. */
export interface KeyRotation {
  /** Undefined: the key is known already, and stays where it is. */
  readonly place: number | undefined
  /** Ids of keys that end. */
  readonly ended: readonly string[]
}

/** `live` is newest first. At most two live: the older one goes, or with `keepPrevious` false every other one. */
export function rotate(live: readonly PlacedKey[], fingerprint: string, keepPrevious: boolean): KeyRotation {
  const known = live.find((key) => key.fingerprint === fingerprint)
  const others = live.filter((key) => key !== known)
  const staying = keepPrevious ? others.slice(0, 1) : []
  const ended = others.filter((key) => !staying.includes(key)).map(({ id }) => id)
  if (known) return { place: undefined, ended: keepPrevious ? [] : ended }
  return { place: staying[0]?.place === 1 ? 2 : 1, ended }
}

/** The context of a sealed key: a sealed value that is moved to another row does not open. */
export function sealContext(keyId: string): string {
  return `git-app-key:${keyId}`
}
