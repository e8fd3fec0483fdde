import type { Override } from './override.ts'
import type { Standing } from './vouching.ts'

export interface Standed {
  readonly override: Override
  readonly standing: Standing
}

/** What a caller may do with an override. */
export interface Rights {
  readonly canSee: (override: Override) => boolean
  readonly canWrite: (override: Override) => boolean
}

/**
 * The one of a repository's overrides that a caller means: one that the caller may write before one that is only seen, then
 * one in effect, then the oldest. Undefined where the caller sees none.
 */
export function chooseFor({ canSee, canWrite }: Rights, oldestFirst: readonly Standed[]): Standed | undefined {
  const rank = ({ override, standing }: Standed): number => (canWrite(override) ? 0 : 2) + (standing.inEffect ? 0 : 1)
  return oldestFirst
    .filter(({ override }) => canSee(override) || canWrite(override))
    .toSorted((one, other) => rank(one) - rank(other))[0]
}

/**
 * What a write of an override for `teamPath` replaces: that of the same team; else the one in effect, where the caller may
 * write it. A claim of another team that decides nothing stays as it is.
 */
export function findReplaced(
  { canWrite }: Rights,
  teamPath: string,
  oldestFirst: readonly Standed[],
): Override | undefined {
  const own = oldestFirst.find(({ override }) => override.teamPath === teamPath)
  const replaced = own ?? oldestFirst.find(({ override, standing }) => standing.inEffect && canWrite(override))
  return replaced?.override
}
