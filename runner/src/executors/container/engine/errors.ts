/** unreachable: no answer. refused: the engine declined, with this HTTP status. stopped: the runner hung up. */
export type EngineFailure = { kind: 'unreachable' } | { kind: 'refused'; status: number } | { kind: 'stopped' }

/** A call to the container engine that came to nothing; the message is a sentence without its full stop. */
export class EngineError extends Error {
  readonly failure: EngineFailure

  constructor(failure: EngineFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EngineError'
    this.failure = failure
  }
}

export function isUnreachable(error: unknown): error is EngineError {
  return error instanceof EngineError && error.failure.kind === 'unreachable'
}

/** Whether the engine said no, with one of these statuses where some are named. */
export function isRefusal(error: unknown, ...statuses: readonly number[]): error is EngineError {
  if (!(error instanceof EngineError) || error.failure.kind !== 'refused') return false
  return statuses.length === 0 || statuses.includes(error.failure.status)
}

/** Lets these refusals pass in a `catch`, and throws everything else. */
export function unless(...statuses: readonly number[]) {
  return (error: unknown): undefined => {
    if (!isRefusal(error, ...statuses)) throw error
  }
}
