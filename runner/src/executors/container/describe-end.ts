import type { ProcessEnd } from '../../processes/running-process.ts'
import { type ContainerFacts, hasEnded } from './engine/container-facts.ts'

const KILLED_CODE = 137

/** Whether this user, as an image or a task names it, is root. */
export function isRootUser(user: string): boolean {
  return ['', '0', 'root'].includes(user.split(':')[0] ?? '')
}

export interface ContainerEnd {
  /** The engine's answer to the call that waited for the end. */
  waited: { exitCode: number; error: string | undefined }
  /** The engine's facts about the container afterwards; undefined: there is no such container any more. */
  facts: ContainerFacts | undefined
  /** 0: no limit. */
  memoryMb: number
  /** Somebody asked for the end. */
  stopped: boolean
  /** The first output of the container. */
  firstWords: string
}

// The init process of Docker and that of Podman, when there is no such program as they are to start.
const INIT_FAILED = /^(\[FATAL tini|ERROR \(catatonit:\d+\)).*(exec|No such file)/

const FIRST_LENGTH = 200

/** Adds output to the first output of a container: a complaint may come in several pieces. */
export function addFirstWords(before: string, bytes: Buffer): string {
  return before.length >= FIRST_LENGTH
    ? before
    : `${before}${bytes.toString('utf8', 0, FIRST_LENGTH)}`.slice(0, FIRST_LENGTH)
}

/**
 * How a container ended. The end is certain only where the engine says so twice: to the call that waited, and when it
 * is asked afterwards. Otherwise nobody knows how the task ended, and the result is no success. An engine may not
 * notice that the kernel killed for want of memory, so the reason names this as possible.
 */
export function describeEnd({ waited, facts, memoryMb, stopped, firstWords }: ContainerEnd): ProcessEnd {
  if (facts === undefined) return { kind: 'broken_off', reason: REMOVED }
  const unknown = whyUnknown(waited, facts)
  if (unknown !== undefined) return { kind: 'broken_off', reason: unknown }
  const { exitCode } = waited
  const { outOfMemory } = facts
  const used = `it used more than ${memoryMb} MB`
  if (exitCode !== 0 && outOfMemory && memoryMb > 0) {
    return { kind: 'exited', exitCode, reason: `The task was killed: ${used}.` }
  }
  if (exitCode === KILLED_CODE && memoryMb > 0 && !stopped) {
    const reason = `The task was killed (SIGKILL, exit code ${exitCode}): by itself, by somebody on the machine, or by the kernel because ${used}.`
    return { kind: 'exited', exitCode, reason }
  }
  if (exitCode !== 0 && INIT_FAILED.test(firstWords)) return { kind: 'not_started', reason: NO_SHELL }
  return { kind: 'exited', exitCode }
}

const REMOVED = 'Somebody removed the container of the task while it ran, so nobody knows how it ended.'

function whyUnknown(
  { exitCode, error }: ContainerEnd['waited'],
  facts: NonNullable<ContainerEnd['facts']>,
): string | undefined {
  if (error !== undefined) return `The container engine cannot say how the task ended: ${error}.`
  if (hasEnded(facts) && facts.exitCode === exitCode) return undefined
  const says = `${facts.status}, exit code ${facts.exitCode ?? 'unknown'}`
  return `The container engine says that the task ended with exit code ${exitCode}, and that its container is ${says}: nobody knows how it ended.`
}

export const NO_SHELL = 'The image has no shell (sh), and a task is a shell script.'
