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
    // Whoever sends a second one does not want to wait. The next start recovers.
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

/** The gRPC library tells the reason in its message only, so that is what is read. */
function explain(error: unknown): never {
  const message = error instanceof Error ? error.message : ''
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
      throw error
  }
}
