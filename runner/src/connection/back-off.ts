const SHORTEST_MS = 200
const LONGEST_MS = 10_000

/**
 * Milliseconds to wait before try number `failures` + 1. The wait doubles from 0.2 s to 10 s. Half of it is random, so
 * that a thousand runners do not return in step. `random` is in [0, 1).
 */
export function backOff(failures: number, random: number): number {
  const ceiling = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** Math.min(failures, 16))
  return Math.round(ceiling * (0.5 + random / 2))
}
