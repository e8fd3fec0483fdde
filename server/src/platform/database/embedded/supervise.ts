import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Log } from '#platform/log'
import type { Clock } from '#platform/time'
import { explainEnd } from './refused.ts'

/** How the server of one cluster is started, each time. */
export interface ServerPlan {
  readonly program: string
  readonly args: readonly string[]
  readonly cluster: string
  /** Handed to the server open, as descriptor 3. */
  readonly socketDir: string
  readonly identity: { readonly uid?: number; readonly gid?: number }
}

export interface Supervised {
  /** Rejects when the server died before it was ever ready. */
  readonly failure: Promise<never>
  pid(): number | undefined
  stop(): Promise<void>
}

/** Starts the server, and starts it again whenever it dies, until it is stopped. */
export function supervise(plan: ServerPlan, log: Log, clock: Clock): Supervised {
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => undefined)
  let stopping = false
  let child: ChildProcess | undefined
  let exited: Promise<void> = Promise.resolve()
  let restarts = 0

  function start(): void {
    const sockets = openSync(plan.socketDir, 'r')
    const spawned = spawn(plan.program, [...plan.args], {
      ...plan.identity,
      cwd: plan.cluster,
      env: { LC_ALL: 'C', TZ: 'UTC' },
      // A group of its own: a Ctrl-C at the terminal is for us, and we stop the server last.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', sockets],
    })
    closeSync(sockets)
    child = spawned
    let tail = ''
    spawned.stderr?.on('data', (chunk: Buffer) => {
      tail = (tail + chunk.toString()).slice(-2000)
      log.debug({ postgres: chunk.toString().trim() }, 'embedded database says')
    })
    exited = new Promise((resolve) => {
      spawned.on('error', (error) => {
        failure.reject(explainEnd(plan.cluster, error.message))
        resolve()
      })
      // Not at its exit: its last words may still be on their way.
      spawned.on('close', (code, signal) => {
        resolve()
        if (stopping) return
        failure.reject(explainEnd(plan.cluster, tail || `ended (${signal ?? code})`))
        restarts += 1
        const wait = Math.min(100 * restarts, 5000)
        log.error({ code, signal, wait, tail }, 'the embedded database died and is started again')
        clock.after(wait, () => {
          if (!stopping) start()
        })
      })
    })
  }

  // However this process ends, short of SIGKILL, the server is told to end too.
  const tellServer = (): void => void child?.kill('SIGINT')
  process.once('exit', tellServer)
  start()
  return {
    failure: failure.promise,
    pid: () => child?.pid,
    async stop() {
      stopping = true
      // SIGINT is PostgreSQL's fast shutdown: sessions are ended, a checkpoint is written.
      child?.kill('SIGINT')
      await exited
      process.off('exit', tellServer)
    },
  }
}
