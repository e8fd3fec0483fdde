import { awayBy } from './away.ts'

/** What a field has against it, in the server's words. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
}

/** An answer of the API that was no success (RFC 9457). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  /** Stable, such as `team.path_taken`; `http_<status>` where the answer came from something in between. */
  readonly code: string
  readonly errors: readonly FieldProblem[]
  readonly requestId: string | undefined
  /** Seconds after which the request may be sent again, where the server says so. */
  readonly retryAfter: number | undefined

  constructor(status: number, document: unknown, headers?: Headers) {
    const read = recordOf(document)
    super(
      textOf(read['detail']) ?? textOf(read['title']) ?? `The address answered ${status}, and not as Signalbox does.`,
    )
    this.status = status
    this.code = textOf(read['code']) ?? `http_${status}`
    this.errors = listOf(read['errors']).map((each) => {
      const { field, message } = recordOf(each)
      return { field: textOf(field) ?? '', message: textOf(message) ?? '' }
    })
    this.requestId = textOf(read['request_id']) ?? headers?.get('x-request-id') ?? undefined
    const seconds = Number(headers?.get('retry-after') ?? Number.NaN)
    this.retryAfter = Number.isFinite(seconds) ? seconds : undefined
  }
}

/** No answer at all: the control plane is away, or what lies between is. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** Whether the same request may succeed in a moment without anybody doing something. */
export function isPassing(error: unknown): boolean {
  if (error instanceof Unreachable) return true
  if (!(error instanceof ApiProblem)) return false
  return error.status === 429 || error.code === 'overloaded' || awayBy(error) !== undefined
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
