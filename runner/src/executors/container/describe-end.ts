import type { ProcessEnd } from '../executor.ts'

const killedCode = 137

/** Whether this user, as an image or a task names it, is root. */
export const isRootUser = (user: string): boolean => ['', '0', 'root'].includes(user.split(':')[0] ?? '')

/**
 * How a container ended. An engine may not notice that the kernel killed for want of memory; where somebody was killed
 * under a limit and nobody asked for it, that is the likely reason, and said so.
 */
export const describeEnd = (exitCode: number, outOfMemory: boolean, memoryMb: number, stopped: boolean): ProcessEnd => {
  const used = `it used more than ${memoryMb} MB`
  if (exitCode !== 0 && outOfMemory && memoryMb > 0) {
    return { kind: 'exited', exitCode, reason: `The task was killed: ${used}.` }
  }
  if (exitCode === killedCode && memoryMb > 0 && !stopped) {
    const reason = `The task was killed (exit code ${exitCode}): most likely ${used}.`
    return { kind: 'exited', exitCode, reason }
  }
  return { kind: 'exited', exitCode }
}
