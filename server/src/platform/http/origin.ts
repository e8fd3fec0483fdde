import type { Caller } from './caller.ts'

/** The caller and the address of a request, which an action needs for its checks and its audit record. */
export interface RequestOrigin {
  readonly caller: Caller
  readonly address: string
  readonly requestId: string
  /** By which other way than a request it came, as further fields of its audit records in snake_case. */
  readonly via?: Readonly<Record<string, unknown>>
  /** The header If-Match: the write is refused unless it names the current ETag. */
  readonly ifMatch?: string | string[] | undefined
}

export function originOf(
  request: RequestOrigin & { readonly headers: Readonly<Record<string, string | string[] | undefined>> },
): RequestOrigin {
  const { caller, address, requestId, via, headers } = request
  return { caller, address, requestId, ifMatch: headers['if-match'], ...(via ? { via } : {}) }
}
