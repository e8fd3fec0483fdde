import type { Workspace } from '../executors/workspace/workspace.ts'
import type { Log } from '../log.ts'
import { killStrays } from '../processes/strays.ts'

/** An attempt whose process has ended: its remaining processes are strays. */
export interface EndedAttempt {
  readonly fence: bigint
  readonly workspace: Workspace
}

interface InHand {
  fences(): readonly bigint[]
  isInUse(name: string, but: Workspace | undefined): boolean
}

/** Kills the processes below this folder that belong to no attempt in hand. */
export function strayHunt(workspaces: string, attempts: InHand, log: Log) {
  return (ended?: EndedAttempt): void => {
    const fences = new Set(attempts.fences().map(String))
    if (ended !== undefined) fences.delete(String(ended.fence))
    const found = killStrays(workspaces, {
      fence: (fence) => fences.has(fence),
      folder: (name) => attempts.isInUse(name, ended?.workspace),
    })
    if (found > 0) log.warn('killed processes that had left their task', { found })
  }
}
