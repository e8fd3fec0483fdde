import { messageOf } from '../errors.ts'
import { list, object, orNull, text } from './shape.ts'

export interface FieldProblem {
  readonly field: string
  readonly message: string
}

/** An answer of the API that was no success (RFC 9457). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  /** Stable, such as `source.name_taken`; `http_<status>` where the answer came from something in between. */
  readonly code: string
  readonly errors: readonly FieldProblem[]
  readonly requestId: string | undefined
  /** The whole document, for --json. */
  readonly document: unknown

  constructor(status: number, document: unknown) {
    const read = readProblem(document)
    super(read?.detail ?? read?.title ?? `The address answered ${status}, and not as Signalbox does.`)
    this.status = status
    this.code = read?.code ?? `http_${status}`
    this.errors = read?.errors ?? []
    this.requestId = read?.request_id ?? undefined
    this.document = document
  }
}

/** No answer at all: nothing listens, the name is unknown, or it took too long. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

const shape = object({
  title: orNull(text),
  detail: orNull(text),
  code: orNull(text),
  request_id: orNull(text),
  errors: orNull(list(object({ field: text, message: text }))),
})

function readProblem(document: unknown): ReturnType<typeof shape> | undefined {
  try {
    return shape(document, 'problem')
  } catch {
    return undefined
  }
}

/** fetch says "fetch failed" and hides the reason in the cause. */
export function whyUnreachable(error: unknown, timedOut: boolean): string {
  if (timedOut) return 'it took too long to answer'
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (code === 'ECONNREFUSED') return 'nothing listens there'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its name is not known'
  return messageOf(cause) || code || 'the connection failed'
}
