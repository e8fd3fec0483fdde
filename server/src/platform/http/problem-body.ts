import type { Problem } from '#platform/problems'

/** A problem as it is sent: RFC 9457 with our members. */
export function problemBody(problem: Problem, requestId: string): Readonly<Record<string, unknown>> {
  return {
    type: `urn:signalbox:problem:${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    request_id: requestId,
    ...(problem.errors.length > 0 ? { errors: problem.errors } : {}),
  }
}
