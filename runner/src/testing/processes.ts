import { readFileSync } from 'node:fs'
import { eventually } from './eventually.ts'

/** Whether a process runs. One that was killed and that nobody has reaped yet does not. */
export const isRunning = (pid: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return !stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')
  } catch {
    return false
  }
}

/** Waits until a process that is no child of ours has ended: nobody tells us, so we look. */
export const processEnded = (pid: number): Promise<void> =>
  eventually(() => !isRunning(pid), `the process ${pid} has ended`)
