import { readdirSync, readFileSync } from 'node:fs'
import { eventually } from './eventually.ts'

/** Whether a process runs. A killed process that nobody has reaped yet does not run. */
export const isRunning = (pid: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return !stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')
  } catch {
    return false
  }
}

/** Waits until a process that is no child of ours has ended: no event tells us, so we look. */
export const processEnded = (pid: number): Promise<void> =>
  eventually(() => !isRunning(pid), `the process ${pid} has ended`)

/** The process by way of which the runner with this process id starts tasks. */
export const spawnerOf = (runner: number): number => {
  const found = readdirSync('/proc').find((pid) => /^\d+$/.test(pid) && isSpawnerOf(pid, runner))
  if (found === undefined) throw new Error(`The runner ${runner} has no process that starts tasks.`)
  return Number(found)
}

const isSpawnerOf = (pid: string, runner: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')
    return parent === runner && words.some((word) => word.endsWith('/spawner-process.ts'))
  } catch {
    // The process has gone in the meantime.
    return false
  }
}
