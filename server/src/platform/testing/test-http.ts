import {
  type Authenticator,
  type Caller,
  type Credentials,
  createHttpServer,
  type HttpOptions,
  type HttpServer,
  type Idempotency,
  type Route,
} from '#platform/http'
import { createIds } from '#platform/ids'
import { createLog } from '#platform/log'
import { systemClock } from '#platform/time'

export interface TestGrants {
  /** Permissions by team path; '/' is everywhere; '*' is every permission. */
  readonly [teamPath: string]: readonly string[]
}

/** A caller with exactly these permissions, inherited downwards as the real one's. */
export function testCaller(
  grants: TestGrants = { '/': ['*'] },
  identity: Partial<Pick<Caller, 'kind' | 'id' | 'name'>> = {},
): Caller {
  const holds = (path: string, permission: string): boolean => {
    const held = grants[path]
    return held !== undefined && (held.includes('*') || held.includes(permission))
  }
  const covers = (path: string, teamPath: string): boolean =>
    path === '/' || teamPath === path || teamPath.startsWith(`${path}/`)
  return {
    kind: identity.kind ?? 'user',
    id: identity.id ?? '01900000-0000-7000-8000-000000000001',
    name: identity.name ?? 'tester',
    can: (permission, teamPath) =>
      Object.keys(grants).some((path) => covers(path, teamPath) && holds(path, permission)),
    prefixes: (permission) => Object.keys(grants).filter((path) => holds(path, permission)),
    mayUse: () => true,
  }
}

/** `Bearer <name>` is the caller of that name, as long as `callers` says so; any other token is invalid. */
export function testAuthenticator(callers: Readonly<Record<string, Caller>>): Authenticator {
  const find = async (credentials: Credentials): Promise<Caller | undefined> =>
    credentials.kind === 'bearer' ? callers[/^Bearer (.+)$/.exec(credentials.authorization)?.[1] ?? ''] : undefined
  return {
    authenticate: find,
    authenticateAgain: find,
    onChange: () => () => undefined,
    requireFresh: async () => undefined,
    isSetupLocked: async () => false,
  }
}

/** The real HTTP server over some rooms' routes; use `app.inject`. Close it after the tests. */
export async function createTestHttp(
  routes: readonly Route[],
  authenticator: Authenticator,
  idempotency?: Idempotency,
  further: Pick<HttpOptions, 'certificate' | 'baseUrl' | 'page' | 'browsers'> = {},
): Promise<HttpServer> {
  const server = await createHttpServer({
    log: createLog({ level: 'silent', pretty: false }),
    ids: createIds(Date.now),
    clock: systemClock,
    bodyLimit: 1024 * 1024,
    authenticator,
    routes,
    ...(idempotency ? { idempotency } : {}),
    ...further,
    info: { title: 'test', version: '0', description: '' },
  })
  await server.ready()
  return server
}
