import type { ProcessEnd } from '../executor.ts'

const killedCode = 137

/** Whether this user, as an image or a task names it, is root. */
export const isRootUser = (user: string): boolean => ['', '0', 'root'].includes(user.split(':')[0] ?? '')

export type ContainerEnd = {
  exitCode: number
  /** The engine saw the kernel kill something in it for want of memory. */
  outOfMemory: boolean
  /** 0: no limit. */
  memoryMb: number
  /** Somebody asked for the end. */
  stopped: boolean
  /** What it wrote first. */
  firstWords: string
}

// The init process of Docker and that of Podman, when there is no such program as they are to start.
const initFailed = /^(\[FATAL tini|ERROR \(catatonit:\d+\)).*(exec|No such file)/

const firstLength = 200

/** What a container wrote first, by what is known of it and what came now: a complaint may come in several pieces. */
export const addFirstWords = (before: string, bytes: Buffer): string =>
  before.length >= firstLength ? before : `${before}${bytes.toString('utf8', 0, firstLength)}`.slice(0, firstLength)

/**
 * How a container ended. An engine may not notice that the kernel killed for want of memory; where somebody was killed
 * under a limit and nobody asked for it, that is the likely reason, and said so.
 */
export const describeEnd = ({ exitCode, outOfMemory, memoryMb, stopped, firstWords }: ContainerEnd): ProcessEnd => {
  const used = `it used more than ${memoryMb} MB`
  if (exitCode !== 0 && outOfMemory && memoryMb > 0) {
    return { kind: 'exited', exitCode, reason: `The task was killed: ${used}.` }
  }
  if (exitCode === killedCode && memoryMb > 0 && !stopped) {
    const reason = `The task was killed (exit code ${exitCode}): most likely ${used}.`
    return { kind: 'exited', exitCode, reason }
  }
  if (exitCode !== 0 && initFailed.test(firstWords)) return { kind: 'not_started', reason: noShell }
  return { kind: 'exited', exitCode }
}

/** For whoever is to make another image. */
export const noShell = 'The image has no shell (sh), and a task is a shell script.'
