import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

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
export const processEnded = async (pid: number): Promise<void> => {
  for (let turn = 0; turn < 1000 && isRunning(pid); turn++) await new Promise((resolve) => setTimeout(resolve, 10))
  assert.ok(!isRunning(pid), `process ${pid} still runs`)
}
