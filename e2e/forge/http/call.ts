import type { IncomingHttpHeaders } from 'node:http'
import type { Fields } from '../fields.ts'

/** A request to the forge, read to its end. */
export interface Call {
  readonly method: string
  /** As it came, percent-encoded, without the query. */
  readonly path: string
  /** The decoded parts of the path that the route names. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** The JSON object or the form that came; empty without a body. */
  readonly body: Fields
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a text goes as HTML; undefined: no body. */
  readonly body?: unknown
}

/** What a forge remembers of a call. */
export interface RecordedCall {
  /** `POST /api/v3/repos/acme/shop/statuses/...?page=2`. */
  readonly line: string
  readonly headers: IncomingHttpHeaders
  readonly body: Fields
  /** Undefined while it is not answered. */
  status: number | undefined
}

/** Thrown by whatever finds out that a call is refused; the server sends it. */
export class Refusal extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super(`refused with ${answer.status}`)
    this.answer = answer
  }
}
