import type { Owner } from '@signalbox/contracts/http'

/** Beyond that what is shared is begun anew: most values that come so often are no longer in use. */
const MOST = 20_000

const NONE: readonly string[] = []

/** Triggers of one team name the same pipelines, branches and owners: in memory each of these stands once. */
export class SharedValues {
  readonly #texts = new Map<string, string>()
  readonly #lists = new Map<string, readonly string[]>()
  readonly #owners = new Map<string, Owner>()

  text(value: string): string {
    return share(this.#texts, value, value)
  }

  list(values: readonly string[]): readonly string[] {
    return values.length === 0 ? NONE : share(this.#lists, values.join('\0'), values)
  }

  owner(value: Owner): Owner {
    return share(this.#owners, `${value.kind}\0${value.id}\0${value.name}`, value)
  }
}

function share<T>(known: Map<string, T>, key: string, value: T): T {
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size >= MOST) known.clear()
  known.set(key, value)
  return value
}
