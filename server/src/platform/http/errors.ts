import type { FastifyError } from 'fastify'
import { foreignKeyViolation, isDiskFull, isUnavailable } from '#platform/database'
import { Problem, platformProblem } from '#platform/problems'
import { toFieldErrors, type ValidationEntry } from './field-errors.ts'

/** Everything that a handler or the framework can throw, as a Problem; unknown errors become internal_error. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  // Before the next: a sender that goes away while its body is read is an ECONNRESET too, and no matter of the database.
  if (isFastifyError(error)) return fromFastify(error)
  if (isUnavailable(error)) {
    const detail = isDiskFull(error)
      ? 'The disk of the database is full: nothing was stored. Send the request again once there is room.'
      : 'The database cannot be reached right now. Send the request again.'
    return platformProblem('database_unavailable', detail, { cause: error, headers: { 'retry-after': '2' } })
  }
  const field = fieldOfLeftTeam(error)
  if (field !== undefined) {
    const errors = [{ field, message: 'must be the path of a team that exists' }]
    return platformProblem('invalid_request', 'The team was deleted meanwhile.', { cause: error, errors })
  }
  return platformProblem('internal_error', 'The request failed because of an error on our side.', { cause: error })
}

/** As PostgreSQL names the foreign keys of columns that hold the path of a team; a `team_ref` follows its `team_path`. */
const TEAM_KEY = /_(run_team_path|team_path|team_ref)_fkey$/

/** Which field names a team that was deleted after the request looked for it. Whoever deletes a team reads the error itself. */
function fieldOfLeftTeam(error: unknown): string | undefined {
  return TEAM_KEY.exec(foreignKeyViolation(error) ?? '')?.[1]?.replace('team_ref', 'team_path')
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && 'statusCode' in error
}

function fromFastify(error: FastifyError): Problem {
  if (error.validation) return invalidRequest(error.validationContext ?? 'body', error.validation)
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

/** What the validator says about one part of a request. */
export function invalidRequest(place: string, entries: readonly ValidationEntry[]): Problem {
  const errors = toFieldErrors(place, entries)
  const first = errors[0]
  const detail = first ? `${first.field || place} ${first.message}` : 'The request is not valid.'
  return platformProblem('invalid_request', `${detail}.`.replace('..', '.'), { errors })
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
