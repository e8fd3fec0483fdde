import type { TokenLimits } from '@signalbox/contracts/access'

/** The limits of a token in a few words; empty where it may do what its owner may. */
export function describeLimits({ permissions, team_path: team, read_only: readOnly, families }: TokenLimits): string {
  const parts = [
    ...(team === null ? [] : [team]),
    ...(readOnly ? ['reading'] : []),
    ...(permissions ?? []),
    ...(families ?? []).map((family) => `family ${family}`),
  ]
  return parts.join(', ')
}
