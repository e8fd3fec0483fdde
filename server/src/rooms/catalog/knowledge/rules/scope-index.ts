import { compilePattern } from '@signalbox/pipeline/patterns'
import { lineOf } from './item.ts'

/** Something that holds in the scopes of one team and those below it that fit a pattern. */
export interface Placed {
  readonly id: string
  /** '/' is the platform. */
  readonly teamPath: string
  /** Glob over `<team path>/<environment>`. */
  readonly scope: string
}

interface Entry<T> {
  readonly placed: T
  /** Made when a scope of its team asks for it first: most wait long for theirs. */
  fits: ((scope: string) => boolean) | undefined
}

/** Answers that are kept; beyond so many they are found anew. */
const MAX_KEPT = 10_000

/**
 * What holds where. The cost of the first look at a scope grows with what its team and those above it own, not with what
 * others do; later looks cost nothing.
 */
export class ScopeIndex<T extends Placed> {
  readonly #byTeam = new Map<string, Entry<T>[]>()
  readonly #known = new Map<string, readonly T[]>()

  constructor(all: Iterable<T>) {
    for (const placed of all) {
      const entry: Entry<T> = { placed, fits: undefined }
      const entries = this.#byTeam.get(placed.teamPath)
      if (entries) entries.push(entry)
      else this.#byTeam.set(placed.teamPath, [entry])
    }
  }

  /** All that holds in one of these scopes: from the platform downwards, by id within a team. Always the same list. */
  find(...scopes: readonly string[]): readonly T[] {
    const key = scopes.join('\n')
    const known = this.#known.get(key)
    if (known) return known
    if (this.#known.size >= MAX_KEPT) this.#known.clear()
    const found = new Set(scopes.flatMap((scope) => this.#look(scope)))
    const sorted = [...found].sort(fromAbove)
    this.#known.set(key, sorted)
    return sorted
  }

  #look(scope: string): T[] {
    const slash = scope.lastIndexOf('/')
    const teams = lineOf(slash < 1 ? '/' : scope.slice(0, slash))
    const entries = teams.flatMap((teamPath) => this.#byTeam.get(teamPath) ?? [])
    const fitting = entries.filter((entry) => {
      entry.fits ??= patternOf(entry.placed.scope)
      return entry.fits(scope)
    })
    return fitting.map(({ placed }) => placed)
  }
}

/** Patterns are checked when they are saved. One that cannot be read any more takes in all: it must not let go. */
function patternOf(pattern: string): (scope: string) => boolean {
  try {
    return compilePattern(pattern)
  } catch {
    return () => true
  }
}

function fromAbove(a: Placed, b: Placed): number {
  if (a.teamPath.length !== b.teamPath.length) return a.teamPath.length - b.teamPath.length
  return a.teamPath < b.teamPath ? -1 : a.teamPath > b.teamPath ? 1 : a.id < b.id ? -1 : 1
}
