import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/** A program to keep running. */
export interface Plan {
  readonly name: string
  /** Arguments of Node: the script and its own. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** A file that its output is appended to; without one it goes where ours goes. */
  readonly logFile?: string
  /** Whether it is worth starting again after it ended by itself with this code (null: by a signal). */
  readonly mayRestart: (code: number | null) => boolean
  /** Whether an end with code 0 is in order, as that of a runner that was drained. Default: no. */
  readonly mayFinish?: boolean
  /** Told when it ended by itself, with the pause before it is started again; undefined: it is not. */
  readonly onCrash: (how: string, pauseMs: number | undefined) => void
}

/** The code of a program of ours that needs the operator (a wrong option, a lost key): a new start cures nothing. */
export const OPERATOR_ERROR = 2

export interface Supervised {
  /** The process of now; undefined between a crash and the next start. */
  readonly pid: number | undefined
  /** Its last end: the operator has to act, as its code says. */
  readonly needsOperator: boolean
  /** Asks it to end; asked again, it is asked again. Resolves when it has ended, and is not started any more. */
  stop(): Promise<void>
  /** Ends it without asking. */
  kill(): void
  /** Resolves when it has ended for good, with the reason: stopped, finished, or how it ended. */
  readonly ended: Promise<string>
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 15_000
/** A program that ran for so long has recovered: its next crash is a new one. */
const WELL_AFTER_MS = 30_000

/**
 * Starts a program and starts it again when it dies (kill -9 included), with a growing pause. The program has a process
 * group of its own, so that Ctrl-C reaches only us. The end of its channel tells the program that we are gone.
 */
export function supervise(plan: Plan): Supervised {
  let child: ChildProcess | undefined
  let failures = 0
  let stopping = false
  let needsOperator = false
  let timer: NodeJS.Timeout | undefined
  let settle: (reason: string) => void = () => undefined
  const ended = new Promise<string>((resolve) => {
    settle = resolve
  })

  const start = (): void => {
    const startedAt = performance.now()
    const output = plan.logFile === undefined ? undefined : openLog(plan.logFile)
    child = spawn(process.execPath, [...plan.args], {
      cwd: plan.cwd,
      env: { ...plan.env },
      detached: true,
      stdio: ['ignore', output ?? 'inherit', output ?? 'inherit', 'ipc'],
    })
    if (output !== undefined) closeSync(output)
    // The channel is for its end only; an error on it comes with the end of the child.
    child.on('error', () => undefined)
    child.on('exit', (code, signal) => {
      child = undefined
      const how = signal ? `was ended by ${signal}` : `ended with code ${code ?? 'unknown'}`
      needsOperator = code === OPERATOR_ERROR
      if (stopping) return settle('stopped')
      if (performance.now() - startedAt > WELL_AFTER_MS) failures = 0
      if (!plan.mayRestart(code)) {
        plan.onCrash(how, undefined)
        return settle(code === 0 && plan.mayFinish ? 'finished' : how)
      }
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
      failures += 1
      plan.onCrash(how, pause)
      timer = setTimeout(start, pause)
    })
  }
  start()

  return {
    get pid() {
      return child?.pid
    },
    get needsOperator() {
      return needsOperator
    },
    ended,
    async stop() {
      stopping = true
      clearTimeout(timer)
      if (!child) return settle('stopped')
      child.kill('SIGTERM')
      await ended
    },
    kill() {
      stopping = true
      clearTimeout(timer)
      if (child) child.kill('SIGKILL')
      else settle('stopped')
    },
  }
}

function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true })
  return openSync(path, 'a', 0o600)
}
