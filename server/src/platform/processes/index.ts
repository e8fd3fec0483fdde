import { readFileSync } from 'node:fs'
import { readBirth } from '@signalbox/contracts/processes'

/** When a process was started. Undefined when no such process lives. Outside Linux only the life of the pid is known. */
export function birthOf(pid: number): string | undefined {
  // 0 and below are no processes but groups of them.
  if (!(pid > 0)) return undefined
  if (!hasProcess(pid)) return undefined
  try {
    return readBirth(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return process.platform === 'linux' ? undefined : 'alive'
  }
}

/** Whether a process has this number. Processes of other users count, and ended ones that nobody has reaped yet. */
export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
