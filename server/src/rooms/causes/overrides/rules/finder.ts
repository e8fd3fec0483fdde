import { foldName, fullNameOf, isExpired, type Override } from './override.ts'

/** Overrides as they were when it was taken. */
export interface Finder {
  /** The override that applies to `owner/name` at that instant; undefined: none, or one that has expired. */
  find(fullName: string, at: Date): Override | undefined
}

export function createFinder(overrides: readonly Override[]): Finder {
  const byName = new Map(overrides.map((override) => [foldName(fullNameOf(override)), override]))
  return {
    find(fullName, at) {
      const found = byName.get(foldName(fullName))
      return found && !isExpired(found, at) ? found : undefined
    },
  }
}
