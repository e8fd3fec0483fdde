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
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** `ENOENT` and the like, where the error has such a code. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Whether there was no room for something, also where the error stands behind another one. */
export function isFullDisk(error: unknown): boolean {
  const code = systemCode(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') return true
  return error instanceof Error && error.cause !== undefined && isFullDisk(error.cause)
}

/**
 * The sentence for a full disk. The owner of the files that fill it is unknown, so the sentence only says where to
 * look.
 */
export function fullDisk(path: string): string {
  return `The disk of this runner that holds ${path} is full; other tasks and programs may have filled it. Free space there, then run the task again.`
}
