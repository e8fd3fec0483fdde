import { foldName, fullNameOf, isExpired, type Override } from './override.ts'

/** Overrides as they were when it was taken. */
export interface Finder {
  /** All of `owner/name`, the oldest first; expired ones too. */
  list(fullName: string): readonly Override[]
  /** The overrides of `owner/name` that have not expired at that instant, the oldest first. */
  listLive(fullName: string, at: Date): readonly Override[]
}

export function createFinder(overrides: readonly Override[]): Finder {
  const oldestFirst = overrides.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const byName = Map.groupBy(oldestFirst, (override) => foldName(fullNameOf(override)))
  const list = (fullName: string): readonly Override[] => byName.get(foldName(fullName)) ?? []
  return {
    list,
    listLive: (fullName, at) => list(fullName).filter((override) => !isExpired(override, at)),
  }
}
