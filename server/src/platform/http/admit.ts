import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Problem, platformProblem } from '#platform/problems'
import { type BrowserAccess, requireOwnPage, requireSameUser } from './browser-access.ts'
import type { Authenticator, Caller } from './caller.ts'
import { type Credentials, readCredentials } from './credentials.ts'
import { addressOf } from './incoming-request.ts'
import type { Route } from './route.ts'
import { requireWithinLimits } from './token-limits.ts'

export interface Admission {
  readonly authenticator: Authenticator
  readonly browsers?: BrowserAccess
}

/**
 * Checks the page that sent a write, the class of the route, the setup lock and the token or session. The permission on
 * the resource itself is asked by the action.
 */
export async function admit(route: Route, request: FastifyRequest, reply: FastifyReply, options: Admission) {
  const { authenticator, browsers } = options
  if (route.ownPage && browsers) requireOwnPage(request.headers, browsers)
  if (route.class === 'public') return
  const credentials = readCredentials(request.headers, browsers?.cookieName)
  request.credentials = credentials
  if (credentials?.kind === 'session') {
    forbidStoring(reply)
    if (browsers && !isSafe(request.method)) requireOwnPage(request.headers, browsers)
  }
  const caller = credentials && (await authenticator.authenticate(credentials, addressOf(request)))
  if (!caller) throw unauthenticated(credentials)
  if (credentials.kind === 'session') requireSameUser(request.headers, caller)
  request.caller = caller
  requireWithinLimits(route, caller)
  if (route.class === 'authorized') await requireSetUp(route, caller, authenticator)
}

/**
 * Throws authorization_unavailable (503) where no fresh grants can be had, and setup_locked (403) while first-install
 * setup is locked.
 */
export async function requireSetUp(
  { whileLocked }: { readonly whileLocked?: boolean },
  caller: Caller,
  authenticator: Pick<Authenticator, 'requireFresh' | 'isSetupLocked'>,
): Promise<void> {
  await authenticator.requireFresh()
  if (!whileLocked && caller.kind !== 'bootstrap' && (await authenticator.isSetupLocked())) {
    throw platformProblem('setup_locked', 'Finish the setup first: GET /v1/setup/preflight names what is missing.')
  }
}

/** The answer to a cookie stays in no cache: whoever uses the browser next would find it. */
export function forbidStoring(reply: FastifyReply): void {
  if (reply.request.credentials?.kind === 'session') reply.header('cache-control', 'no-store')
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

function unauthenticated(credentials: Credentials | undefined): Problem {
  if (credentials?.kind === 'session') {
    return platformProblem('unauthenticated', 'Your session has ended. Sign in again.')
  }
  return platformProblem('unauthenticated', 'Send a valid token as "Authorization: Bearer <token>".', {
    headers: { 'www-authenticate': 'Bearer' },
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller
    /** Undefined on public routes, and where the request has none. */
    credentials?: Credentials | undefined
  }
}
