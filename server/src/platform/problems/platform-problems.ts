import { defineProblems } from './problem.ts'

/** The problems that any route may answer; rooms add their own in errors.ts. */
export const platformProblem = defineProblems({
  invalid_request: { status: 400, title: 'The request is not valid' },
  unauthenticated: { status: 401, title: 'Authentication is required' },
  forbidden: { status: 403, title: 'Not permitted' },
  cross_site: { status: 403, title: 'The request comes from another site' },
  token_limited: { status: 403, title: 'The token has limits that forbid it' },
  setup_locked: { status: 403, title: 'Setup is not finished' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not offered here' },
  request_timeout: { status: 408, title: 'The request took too long' },
  other_user: { status: 409, title: 'Somebody else is signed in' },
  version_conflict: { status: 409, title: 'The resource has changed' },
  idempotency_key_reused: { status: 409, title: 'The Idempotency-Key belongs to another request' },
  idempotency_key_in_use: { status: 409, title: 'The first request with this Idempotency-Key is not done' },
  idempotency_answer_gone: { status: 409, title: 'The answer to this Idempotency-Key is no longer kept' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  head_too_large: { status: 431, title: 'The head of the request is too large' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  authorization_unavailable: { status: 503, title: 'Authorization is unavailable' },
  overloaded: { status: 503, title: 'Too much is in hand' },
  database_unavailable: { status: 503, title: 'The database is unavailable' },
})
