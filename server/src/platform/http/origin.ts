import type { Caller } from './caller.ts'

/** Who asked, and from where: what an action needs for its checks and its audit record. */
export interface RequestOrigin {
  readonly caller: Caller
  readonly address: string
  readonly requestId: string
}

export function originOf(request: RequestOrigin): RequestOrigin {
  return { caller: request.caller, address: request.address, requestId: request.requestId }
}
