import { compilePattern } from '@signalbox/pipeline/patterns'
import { lineOf } from './item.ts'

/** Something that applies in those scopes of a team, and of the teams below it, which match a pattern. */
export interface Placed {
  readonly id: string
  /** '/' is the platform. */
  readonly teamPath: string
  /** Glob over `<team path>/<environment>`. */
  readonly scope: string
}

interface Entry<T> {
  readonly placed: T
  /** Compiled when a scope of its team is first looked up, because most are never needed. */
  fits: ((scope: string) => boolean) | undefined
}

/** How many answers are kept; when there are more, all are dropped. */
const MAX_KEPT = 10_000

/**
 * Items by the scope in which they apply. The first lookup of a scope reads the items of its team and of the teams above;
 * later lookups cost nothing.
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

  /** Everything that applies in one of these scopes, from the platform downwards and by id within a team. */
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

/** Patterns are checked at the save. A pattern that a later release cannot read matches everything: it fails closed. */
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
