import { type Answer, Refusal } from '../http/call.ts'

const DOCUMENTATION = 'https://docs.github.com/rest'

/** An answer with GitHub's words. */
export function problem(status: number, message: string, more: Readonly<Record<string, unknown>> = {}): Answer {
  return { status, body: { message, ...more, documentation_url: DOCUMENTATION, status: String(status) } }
}

export function refuse(status: number, message: string, more: Readonly<Record<string, unknown>> = {}): Refusal {
  return new Refusal(problem(status, message, more))
}

export function notFound(): Refusal {
  return refuse(404, 'Not Found')
}

/** Of a body that has one wrong or missing field. */
export function invalid(resource: string, field: string, code: string, message?: string): Refusal {
  const error = { resource, field, code, ...(message === undefined ? {} : { message }) }
  return refuse(422, message ?? 'Validation Failed', { errors: [error] })
}
