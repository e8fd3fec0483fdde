import type { Override } from './override.ts'
import type { Standing } from './vouching.ts'

export interface Standed {
  readonly override: Override
  readonly standing: Standing
}

/** The rights of a caller on overrides. */
export interface Rights {
  readonly canSee: (override: Override) => boolean
  readonly canWrite: (override: Override) => boolean
}

/**
 * The override that a caller means by a repository's name. Overrides that the caller may write come first, then those in
 * effect, then the oldest. Undefined where the caller sees none.
 */
export function chooseFor({ canSee, canWrite }: Rights, oldestFirst: readonly Standed[]): Standed | undefined {
  const rank = ({ override, standing }: Standed): number => (canWrite(override) ? 0 : 2) + (standing.inEffect ? 0 : 1)
  return oldestFirst
    .filter(({ override }) => canSee(override) || canWrite(override))
    .toSorted((one, other) => rank(one) - rank(other))[0]
}

/**
 * The override that a write for `teamPath` replaces: that of the same team; else the one in effect, where the caller may
 * write it. An override of another team without effect stays as it is.
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
