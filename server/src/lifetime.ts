import { DatabaseRefused, isDiskFull, isOutOfRoom, isUnavailable } from '#platform/database'
import type { Log } from '#platform/log'

/** Something that was started and can be stopped once. */
export interface Running {
  stop(): Promise<void>
}

/** A start that failed for a reason that an operator can mend; told in one line. */
export class StartFailed extends Error {
  override readonly name = 'StartFailed'
  readonly code = 'start.failed'
}

/**
 * Starts and then waits for the first reason to stop. SIGTERM and SIGINT stop in order, a second signal exits at once;
 * a signal that comes during the start is obeyed when it is done. The end of the parent process (`signalbox up`,
 * however it ends) is a reason to stop too, but no second signal.
 */
export async function runUntilStopped(log: Log, start: () => Promise<Running>): Promise<void> {
  const reason = Promise.withResolvers<string>()
  let asked = false
  const signal = (name: string): void => {
    // A second signal says that nobody wants to wait. The next start recovers.
    if (asked) process.exit(1)
    asked = true
    reason.resolve(name)
  }
  process.on('SIGTERM', () => signal('SIGTERM'))
  process.on('SIGINT', () => signal('SIGINT'))
  process.on('disconnect', () => reason.resolve('the parent process ended'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error that nobody expected; the process ends and may be started again')
    process.exit(1)
  })
  const running = await start().catch(explain)
  const why = await reason.promise
  log.info({ why }, 'stopping')
  await running.stop()
}

/** An error that an operator can mend becomes a sentence. Every other error is a fault of this program and stays as it is. */
function explain(error: unknown): never {
  if (!(error instanceof Error) || error instanceof DatabaseRefused) throw error
  explainListening(error.message)
  const cause = error.cause instanceof Error ? error.cause : error
  const code = 'code' in cause ? String(cause.code) : ''
  if (isDiskFull(cause) || isOutOfRoom(cause)) {
    const advice = 'Make room on the disk of the data folder or of the database, then start again.'
    throw new DatabaseRefused('database.disk_full', `The start found no room: ${cause.message}. ${advice}`, { cause })
  }
  if (isUnavailable(cause) && !('path' in cause)) {
    const advice = 'Look at its log, and start again.'
    throw new DatabaseRefused(
      'database.unreachable',
      `The database went away during the start: ${cause.message}. ${advice}`,
      { cause },
    )
  }
  if (/^(EACCES|EPERM|EROFS|ENOTDIR|EISDIR|EEXIST)$/.test(code) && 'path' in cause && 'syscall' in cause) {
    throw new StartFailed(
      `${String(cause.path)} cannot be used (${code}): give this user the data folder, or set DATA_DIR to another one.`,
      { cause },
    )
  }
  throw error
}

/** The gRPC library tells the reason in its message only, so that is what is read. */
function explainListening(message: string): void {
  const [, reason, place = 'the address'] =
    /listen (EADDRINUSE|EACCES|EADDRNOTAVAIL)\b[^\d[:]*:? ?(?:[a-z ]*)?(\[?[\d.:a-f]+\]?:\d+|[\d.:a-f]+)?/.exec(
      message,
    ) ?? []
  switch (reason) {
    case 'EADDRINUSE':
      throw new StartFailed(
        `${place} is in use by another program: stop that, or set PORT and RUNNER_PORT to free ports.`,
      )
    case 'EACCES':
      throw new StartFailed(`${place} may not be listened on by this user: choose ports above 1023.`)
    case 'EADDRNOTAVAIL':
      throw new StartFailed(`${place} is no address of this machine: set HOST and RUNNER_HOST to one.`)
    default:
  }
}
