import type { Log } from '../log.ts'
import type { WorkDir } from './work-dir.ts'
import { sweepWorkDir } from './work-dir.ts'

/** Removes the remains of a runner that was killed in this work-dir, and logs the finds. */
export function cleanUpAfterKilled(
  workDir: WorkDir,
  setAside: (folder: string) => void,
  found: { readonly strays: number; readonly accounts: number },
  log: Log,
): void {
  const leftovers = sweepWorkDir(workDir, setAside)
  const { strays, accounts } = found
  if (strays + accounts + leftovers.found > 0) {
    log.warn('cleaned up after a runner that was killed', { strays, accounts, leftovers: leftovers.found })
  }
  for (const reason of leftovers.stuck) log.warn('something of a former runner could not be removed', { reason })
}
