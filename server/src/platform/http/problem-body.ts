import { Type } from 'typebox'
import type { Problem } from '#platform/problems'

/** RFC 9457 with the members that every problem of ours has. */
export const ProblemBody = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String({ description: 'A sentence that tells the caller what to do.' }),
  code: Type.String({ description: 'Stable; never changes its meaning.' }),
  request_id: Type.String(),
  errors: Type.Optional(Type.Array(Type.Object({ field: Type.String(), message: Type.String() }))),
})

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
