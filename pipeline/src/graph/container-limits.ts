/** The limits of a container; null and empty: as the profile or the runner has it. */
export interface GraphLimits {
  readonly cpus: number | null
  readonly memoryMb: number | null
  /** Processes and threads. */
  readonly pids: number | null
  /** Size of /dev/shm. */
  readonly shmMb: number | null
  /** File systems in memory, by where they are mounted: their size in MiB. */
  readonly tmpfsMb: Readonly<Record<string, number>>
  /** By the name that `ulimit` has for it; soft and hard alike. */
  readonly ulimits: Readonly<Record<string, number>>
}

export const NO_LIMITS: GraphLimits = { cpus: null, memoryMb: null, pids: null, shmMb: null, tmpfsMb: {}, ulimits: {} }

/** Whether anything is said. */
export function hasLimits({ tmpfsMb, ulimits, ...numbers }: GraphLimits): boolean {
  const named = Object.keys(tmpfsMb).length + Object.keys(ulimits).length
  return named > 0 || Object.values(numbers).some((value) => value !== null)
}
