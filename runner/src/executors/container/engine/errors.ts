/** unreachable: nobody answers; refused: it says no, with this HTTP status; stopped: we hung up ourselves. */
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

export function isRefusal(error: unknown, ...statuses: readonly number[]): error is EngineError {
  return error instanceof EngineError && error.failure.kind === 'refused' && statuses.includes(error.failure.status)
}
