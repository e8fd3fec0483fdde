/** A condition that ends the runner, or its start, with one sentence that says what to do. */
export class RunnerError extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'RunnerError'
    this.code = code
  }
}

/** The sentence of anything thrown. */
export const describeError = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** `ENOENT` and the like, where the error has such a code. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
