import { type ExitName, exitCode } from './exit-codes.ts'

/** An expected end: one line for the person, an exit code for the script. `remedy` says what to do next. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  readonly exitCode: number
  readonly remedy: string | undefined

  constructor(exit: ExitName, message: string, remedy?: string) {
    super(message)
    this.exitCode = exitCode(exit)
    this.remedy = remedy
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The `code` of a system error, such as ENOENT. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
