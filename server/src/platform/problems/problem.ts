/** One field of a request that is at fault; `field` is a path such as `rate_limit.per_minute`. */
export interface FieldError {
  readonly field: string
  readonly message: string
}

export interface ProblemExtra {
  readonly errors?: readonly FieldError[]
  readonly cause?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * An expected failure with a stable code; the edge renders it as RFC 9457 problem+json.
 * `message` is the `detail`: a sentence that tells the caller what to do, never a secret.
 */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: string
  readonly status: number
  readonly title: string
  readonly errors: readonly FieldError[]
  readonly headers: Readonly<Record<string, string>>

  constructor(code: string, { status, title }: ProblemEntry, detail: string, extra: ProblemExtra = {}) {
    super(detail, extra.cause === undefined ? undefined : { cause: extra.cause })
    this.code = code
    this.status = status
    this.title = title
    this.errors = extra.errors ?? []
    this.headers = extra.headers ?? {}
  }
}

/** The declaration of one code in a room's errors.ts. */
export interface ProblemEntry {
  readonly status: number
  readonly title: string
}

/** The codes that one owner may answer. */
export interface Problems {
  readonly table: Readonly<Record<string, ProblemEntry>>
}

export interface ProblemTable<Code extends string> {
  readonly table: Readonly<Record<Code, ProblemEntry>>
  (code: Code, detail: string, extra?: ProblemExtra): Problem
}

/** Makes the constructor of one room's coded problems: `throw sourceProblem('source.name_taken', 'A source …')`. */
export function defineProblems<const Code extends string>(
  table: Readonly<Record<Code, ProblemEntry>>,
): ProblemTable<Code> {
  const create = (code: Code, detail: string, extra?: ProblemExtra): Problem => {
    return new Problem(code, table[code], detail, extra)
  }
  return Object.assign(create, { table })
}
