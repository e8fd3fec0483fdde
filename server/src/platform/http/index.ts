export { requireSetUp } from './admit.ts'
export { type BrowserAccess, browserAccessOf } from './browser-access.ts'
export {
  type Authenticator,
  type Caller,
  type CallerLimits,
  type CallerToken,
  type HeldPermission,
  holdsAll,
  ownerOf,
  prefixesOf,
  prefixesWithin,
  principalOf,
  systemCaller,
} from './caller.ts'
export { type Credentials, readCookie } from './credentials.ts'
export { invalidRequest } from './errors.ts'
export { checkIfMatch, etagOf, laterThan } from './etag.ts'
export { createFairShares, type FairShares } from './fair-shares.ts'
export { toFieldErrors, type ValidationEntry } from './field-errors.ts'
export { createIdempotency, type Idempotency, type KeyHolder, readIdempotencyKey } from './idempotency.ts'
export { networkOf } from './network-of.ts'
export { type NotedCaller, noteCaller } from './note-caller.ts'
export { originOf, type RequestOrigin } from './origin.ts'
export { linkNext, type Page, pageOf, type Window } from './paging.ts'
export { canFromBelow, requirePermission, requireVisible, requireVisibleFromBelow } from './permission.ts'
export { createAddressLimiter, createRateLimiter, type RateLimiter } from './rate-limit.ts'
export { isPublicAddress } from './reachable-address.ts'
export { type Answer, answer, type Route, type RouteRequest, streamAnswer, withProblems } from './route.ts'
export { type CalledAnswer, type CallOrigin, type CallParts, createRouteCalls, type RouteCalls } from './route-calls.ts'
export { type RequestOf, serve } from './serve.ts'
export { createHttpServer, type HttpOptions, type HttpServer } from './server.ts'
export { parseJsonStrictly } from './strict-json.ts'
export { toWire } from './to-wire.ts'
