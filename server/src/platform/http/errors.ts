import type { FastifyError } from 'fastify'
import { isUnavailable } from '#platform/database'
import { type FieldError, Problem, platformProblem } from '#platform/problems'

/** Everything that a handler or the framework can throw, as a Problem; unknown errors become internal_error. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  // Before the next: a sender that goes away while its body is read is an ECONNRESET too, and no matter of the database.
  if (isFastifyError(error)) return fromFastify(error)
  if (isUnavailable(error)) {
    return platformProblem(
      'database_unavailable',
      'The database cannot be reached right now. Send the request again.',
      {
        cause: error,
        headers: { 'retry-after': '2' },
      },
    )
  }
  return platformProblem('internal_error', 'The request failed because of an error on our side.', { cause: error })
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && 'statusCode' in error
}

function fromFastify(error: FastifyError): Problem {
  if (error.validation) {
    const place = error.validationContext ?? 'body'
    const errors = withoutAlternatives(error.validation).map((entry) => toFieldError(place, entry))
    const first = errors[0]
    const detail = first ? `${first.field || place} ${first.message}` : 'The request is not valid.'
    return platformProblem('invalid_request', `${detail}.`.replace('..', '.'), { errors })
  }
  const status = error.statusCode ?? 500
  if (status === 413) {
    return platformProblem('payload_too_large', 'The body is larger than this route accepts.', { cause: error })
  }
  if (status === 415) {
    return platformProblem('unsupported_media_type', 'Send the body as application/json.', { cause: error })
  }
  if (status >= 400 && status < 500) {
    return platformProblem('invalid_request', readable(error), { cause: error })
  }
  return platformProblem('internal_error', 'The request failed because of an error on our side.', { cause: error })
}

function readable(error: FastifyError): string {
  switch (error.code) {
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return 'The body is empty: send a JSON document.'
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return 'The body is shorter or longer than its Content-Length says.'
    case 'ECONNRESET':
      return 'The sender went away before the body was complete.'
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return 'The body is not valid JSON.'
    default:
      return error instanceof SyntaxError ? 'The body is not valid JSON.' : 'The request is not valid.'
  }
}

interface ValidationEntry {
  readonly instancePath: string
  readonly keyword: string
  readonly params: Record<string, unknown>
  readonly message?: string
}

/**
 * What is told where one of several shapes was wanted: of something that may be null, what is wrong with what came instead;
 * of words, all of them as one.
 */
function withoutAlternatives(entries: readonly ValidationEntry[]): readonly ValidationEntry[] {
  if (!entries.some(({ keyword }) => keyword === 'anyOf')) return entries
  const words = Map.groupBy(
    entries.filter(({ keyword }) => keyword === 'const'),
    ({ instancePath }) => instancePath,
  )
  const telling = entries.flatMap((entry): ValidationEntry[] => {
    if (entry.keyword === 'anyOf' || entry.params['type'] === 'null') return []
    const same = words.get(entry.instancePath)
    if (entry.keyword !== 'const' || !same) return [entry]
    const allowedValues = same.map(({ params }) => params['allowedValue'])
    return same[0] === entry ? [{ ...entry, keyword: 'enum', params: { allowedValues } }] : []
  })
  return telling.length > 0 ? telling : entries
}

function toFieldError(place: string, entry: ValidationEntry): FieldError {
  const path = entry.instancePath.slice(1).split('/').map(unescapePointer).filter(Boolean)
  switch (entry.keyword) {
    case 'additionalProperties': {
      path.push(String(entry.params['additionalProperty']))
      const what = place === 'querystring' ? 'is not a known query parameter' : 'is not a known field'
      return { field: path.join('.'), message: `${what}: leave it out` }
    }
    case 'required':
      path.push(String(entry.params['missingProperty']))
      return { field: path.join('.'), message: 'is required' }
    case 'enum':
    case 'const': {
      const allowed = entry.params['allowedValues'] ?? [entry.params['allowedValue']]
      return { field: path.join('.') || place, message: `must be one of ${JSON.stringify(allowed)}` }
    }
    default:
      return { field: path.join('.') || place, message: entry.message ?? 'is not valid' }
  }
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
