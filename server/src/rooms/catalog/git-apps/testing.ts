import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { after } from 'node:test'
import type { InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { findForge, openForges } from '#adapters/forges'
import { browserAccessOf } from '#platform/http'
import type { JobDefinition } from '#platform/jobs'
import { createMetrics } from '#platform/metrics'
import type { Kit, RoomParts } from '#platform/room'
import { createTestDatabase, createTestHttp, createTestKit, type TestKitOptions } from '#platform/testing'
import type { Access } from '#rooms/foundation/access'
import { aMember, openFoundation } from '#rooms/foundation/access/testing'
import type { Audit } from '#rooms/foundation/audit'
import type { Secrets } from '#rooms/foundation/secrets'
import { sessions } from '#rooms/foundation/sessions'
import type { Teams } from '#rooms/foundation/teams'
import { aTeam } from '#rooms/foundation/teams/testing'
import { type AboveGitApps, type GitApps, gitApps } from './index.ts'
import type { AppSource } from './means.ts'
import { callbackPath } from './rules/callback.ts'

export function aKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
}

export interface DoubleRepository {
  readonly id: number
  readonly full_name: string
  readonly private: boolean
  readonly default_branch: string
}

export interface DoubleInstallation {
  readonly account: string
  suspended: boolean
  permissions: Record<string, string>
  repositories: DoubleRepository[]
}

export interface DoubleAnswer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A GitHub Enterprise Server for tests: it checks JWTs and tokens as GitHub does, and counts what it is asked. */
export interface GithubDouble {
  readonly url: string
  /** The keys that it takes of the app 7; the first is given at the conversion. */
  readonly keys: string[]
  readonly codes: Set<string>
  readonly installations: Map<string, DoubleInstallation>
  readonly permissions: Record<string, string>
  /** Method and path of each call, without its query. */
  readonly calls: string[]
  /** Tokens that it takes, with what each was asked for. */
  readonly tokens: Map<string, { readonly installation: string; readonly asked: unknown }>
  webhookUrl: string
  /** The newest delivery's status. */
  delivered: number
  /** Milliseconds that its clock is ahead. */
  skewMs: number
  /** Answers in place of the usual answer; undefined: the usual one. Awaited, so it may hold a call. */
  interfere: (call: string) => DoubleAnswer | 'reset' | undefined | Promise<DoubleAnswer | 'reset' | undefined>
  close(): Promise<void>
}

export const WEBHOOK_SECRET = 'hook-secret-of-the-double'

export async function openGithub(now: () => Date): Promise<GithubDouble> {
  let issued = 0
  const server = createServer((request, response) => {
    answer(request)
      .then((given) => {
        if (given === 'reset') return response.destroy()
        const { status, body, headers } = given
        response.sendDate = false
        const date = new Date(now().getTime() + double.skewMs).toUTCString()
        response.writeHead(status, { 'content-type': 'application/json', date, ...headers })
        return response.end(body === undefined ? undefined : JSON.stringify(body))
      })
      .catch(() => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const url = `http://127.0.0.1:${address.port}`

  async function answer(request: IncomingMessage): Promise<DoubleAnswer | 'reset'> {
    const { pathname, searchParams } = new URL(request.url ?? '', url)
    const path = pathname.replace('/api/v3', '')
    const call = `${request.method} ${path}`
    double.calls.push(call)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const text = Buffer.concat(chunks).toString()
    const given = await double.interfere(call)
    if (given) return given
    const code = /^POST \/app-manifests\/([\w-]+)\/conversions$/.exec(call)?.[1]
    if (code !== undefined) return convert(code)
    if (path === '/installation/repositories') return list(request, Number(searchParams.get('page')))
    if (!isApp(request)) return { status: 401, body: { message: 'A JSON web token could not be decoded' } }
    if (call === 'GET /app') return { status: 200, body: theApp() }
    if (call === 'GET /app/hook/config') return { status: 200, body: { url: double.webhookUrl } }
    if (call === 'GET /app/hook/deliveries') return { status: 200, body: theLog() }
    if (call === 'GET /app/installations') {
      return { status: 200, body: [...double.installations].map(([id, found]) => present(id, found)) }
    }
    const [, id = '', rest = ''] = /^\w+ \/app\/installations\/(\d+)(.*)$/.exec(call) ?? []
    const found = double.installations.get(id)
    if (!found) return { status: 404, body: { message: 'Not Found' } }
    if (rest === '') return { status: 200, body: present(id, found) }
    return give(id, found, text === '' ? {} : JSON.parse(text))
  }

  function convert(code: string): DoubleAnswer {
    if (!double.codes.delete(code)) return { status: 404, body: { message: 'Not Found' } }
    const body = { ...theApp(), pem: double.keys[0], webhook_secret: WEBHOOK_SECRET, client_secret: 'client-secret' }
    return { status: 201, body }
  }

  function theApp() {
    return {
      id: 7,
      slug: 'signalbox-acme',
      name: 'Signalbox acme',
      client_id: 'Iv1.7',
      html_url: `${url}/github-apps/signalbox-acme`,
      owner: { login: 'acme' },
      permissions: double.permissions,
      events: ['push'],
    }
  }

  function theLog() {
    const at = new Date(now()).toISOString()
    return [{ id: 1, guid: 'g-1', delivered_at: at, event: 'push', action: null, status_code: double.delivered }]
  }

  function present(id: string, found: DoubleInstallation) {
    return {
      id: Number(id),
      app_id: 7,
      account: { login: found.account },
      repository_selection: 'selected',
      permissions: found.permissions,
      suspended_at: found.suspended ? '2026-11-20T00:00:00Z' : null,
      html_url: `${url}/organizations/${found.account}/settings/installations/${id}`,
    }
  }

  function give(id: string, found: DoubleInstallation, asked: { repositories?: readonly string[] }): DoubleAnswer {
    if (found.suspended) return { status: 403, body: { message: 'This installation has been suspended' } }
    issued += 1
    const token = `ghs_double_${issued}`
    double.tokens.set(token, { installation: id, asked })
    const { repositories: names } = asked
    const repositories = found.repositories.filter((one) => names?.includes(one.full_name.split('/')[1] ?? ''))
    if (names && repositories.length !== names.length) return { status: 422, body: { message: 'Unprocessable' } }
    const expires = new Date(now().getTime() + double.skewMs + 3_600_000).toISOString()
    return { status: 201, body: { token, expires_at: expires, permissions: {}, ...(names ? { repositories } : {}) } }
  }

  function list({ headers }: IncomingMessage, page: number): DoubleAnswer {
    const token = double.tokens.get(String(headers.authorization).replace('Bearer ', ''))
    const found = token && double.installations.get(token.installation)
    if (!found) return { status: 401, body: { message: 'Bad credentials' } }
    const etag = `"${JSON.stringify(found.repositories).length}"`
    if (headers['if-none-match'] === etag) return { status: 304, headers: { etag } }
    const at = Math.max(1, page) - 1
    const repositories = found.repositories.slice(at * 100, at * 100 + 100)
    const further = found.repositories.length > (at + 1) * 100
    const next = `<${url}/api/v3/installation/repositories?per_page=100&page=${at + 2}>; rel="next"`
    return {
      status: 200,
      headers: { etag, ...(further ? { link: next } : {}) },
      body: { total_count: found.repositories.length, repositories },
    }
  }

  function isApp({ headers }: IncomingMessage): boolean {
    const jwt = String(headers.authorization).replace('Bearer ', '')
    const [head = '', claims = '', signature = ''] = jwt.split('.')
    const signed = double.keys.some((key) => isSigned(createPublicKey(key), `${head}.${claims}`, signature))
    if (!signed) return false
    const { iss, exp, iat } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    const seconds = (now().getTime() + double.skewMs) / 1000
    return String(iss) === '7' && iat <= seconds && exp > seconds && exp <= seconds + 600
  }

  const double: GithubDouble = {
    url,
    keys: [aKey()],
    codes: new Set(),
    installations: new Map(),
    permissions: { ...ALL_PERMISSIONS },
    calls: [],
    tokens: new Map(),
    webhookUrl: '',
    delivered: 202,
    skewMs: 0,
    interfere: () => undefined,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return double
}

function isSigned(key: KeyObject, text: string, signature: string): boolean {
  return verify('RSA-SHA256', Buffer.from(text), key, Buffer.from(signature, 'base64url'))
}

export const ALL_PERMISSIONS: Readonly<Record<string, string>> = {
  metadata: 'read',
  contents: 'read',
  pull_requests: 'write',
  checks: 'write',
  statuses: 'write',
  issues: 'read',
  merge_queues: 'read',
}

export function anInstallation(account: string, names: readonly string[]): DoubleInstallation {
  return {
    account,
    suspended: false,
    permissions: { ...ALL_PERMISSIONS },
    repositories: names.map((name, at) => ({
      id: at + 1,
      full_name: `${account}/${name}`,
      private: at % 2 === 0,
      default_branch: 'main',
    })),
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The room on its foundation, over HTTP, with a GitHub double and people. Closed after the file's tests. */
export async function openGitApps(options: TestKitOptions = {}) {
  const { database, url: databaseUrl } = await createTestDatabase()
  const db = database.kysely
  const now = () => (options.clock ? options.clock.now() : new Date())
  const github = await openGithub(now)
  const host = new URL(github.url).host
  const env = { PROVIDER_HOSTS: `github.com,gitea.com,${host}`, UI_URL: PAGES, ...options.env }
  const kit = createTestKit(database, { ...options, env })
  const house = await openFoundation(kit)
  const signedIn = await sessions.open(kit, house)
  const sources: AppSource[] = []
  /** Throws what a test wants where a source is made. */
  const fail: { source?: Error } = {}
  const parts = await gitApps.open(kit, {
    ...house,
    sessions: signedIn.door,
    forges: { ids: ['github'], find: (provider) => findForge(provider) },
    resolve: async (name) => (name === 'inside.example.com' ? ['203.0.113.1', '10.0.0.7'] : []),
    above: {
      async createAppSource(tx, origin, source) {
        if (fail.source) throw fail.source
        const at = kit.clock.now()
        await tx
          .insertInto('webhook_sources')
          .values({
            id: source.id,
            name: source.name,
            provider: source.provider,
            base_url: source.baseUrl,
            enabled: true,
            team_path: source.teamPath,
            visibility: 'private',
            auth_mode: 'signature',
            credential_ref: `app:${source.provider}`,
            read_repository: true,
            report_status: false,
            repository_allowlist: [...source.repositoryAllowlist],
            rate_limit_per_minute: 600,
            acknowledge_unmapped: true,
            owner_kind: 'user',
            owner_id: origin.caller.id,
            owner_name: origin.caller.name,
            created_at: at,
            updated_at: at,
          })
          .execute()
        sources.push(source)
      },
    },
  })
  const browsers = browserAccessOf(kit.config)
  const routes = [...house.routes, ...(parts.routes ?? [])]
  const http = await createTestHttp(routes, signedIn.door.authenticator, undefined, { browsers })
  after(async () => {
    await http.app.close()
    await parts.close?.()
    await signedIn.close?.()
    await house.close()
    await github.close()
  })
  const root = await aMember(db, 'root', 'administrator', '/')
  await aTeam(db, 'acme/web')
  const viewer = await aMember(db, 'viewer', 'viewer', 'acme')
  let addresses = 0

  async function send(method: Method, url: string, payload?: InjectOptions['payload'], as = root) {
    const wanted = { method, url: `${APPS}${url}`, headers: as.headers, ...(payload ? { payload } : {}) }
    const answer = await http.app.inject(wanted)
    const body = answer.body.startsWith('{') || answer.body.startsWith('[') ? answer.json() : {}
    return { status: answer.statusCode, text: answer.body, headers: answer.headers, body }
  }
  const api = {
    kit,
    db,
    database,
    databaseUrl,
    github,
    house,
    parts,
    door: parts.door,
    sources,
    fail,
    http,
    root,
    viewer,
    send,
    /** A browser without a token, each time from another address; answers where it is sent. */
    async back(path: string, query: Readonly<Record<string, string>>, cookie = '') {
      const remoteAddress = `198.51.100.${(addresses += 1) % 250}`
      const url = `${path}?${new URLSearchParams(query)}`
      const answer = await http.app.inject({ method: 'GET', url, remoteAddress, headers: { cookie } })
      assert.equal(answer.statusCode, 302, answer.body)
      return { place: String(answer.headers.location).replace(`${PAGES}/`, ''), headers: answer.headers }
    },
    start: (more: object = {}) =>
      send('POST', '/register/start', {
        organization: 'acme',
        callback_url: 'http://127.0.0.1:9999',
        base_url: github.url,
        ...more,
      }),
    /** The app as the way through the browser makes it. */
    async register(): Promise<void> {
      const { body } = await api.start({ team_path: 'acme' })
      github.codes.add('the-code')
      const { place } = await api.back(callbackPath('forge', 'register'), { code: 'the-code', state: body.state })
      assert.equal(place, '#/system/git-apps?outcome=registered&provider=github')
    },
    /** Runs the queued jobs of this name, and answers their payloads. */
    async work(name: string): Promise<readonly unknown[]> {
      const job: JobDefinition | undefined = parts.jobs?.find((one) => one.name === name)
      assert.ok(job, name)
      const payloads = await takeJobs(database, name)
      for (const payload of payloads) await job.run(payload, new AbortController().signal)
      return payloads
    },
  }
  return api
}

export const APPS = '/v1/git-apps/forge'
export const PAGES = 'https://pages.example.com'

async function takeJobs(
  database: Awaited<ReturnType<typeof createTestDatabase>>['database'],
  name: string,
): Promise<unknown[]> {
  const { rows } = await sql<{ payload: unknown }>`
    with gone as (
      delete from graphile_worker._private_jobs as job using graphile_worker._private_tasks as task
       where task.id = job.task_id and task.identifier = ${name} returning job.payload)
    select payload from gone`.execute(database.kysely)
  return rows.map(({ payload }) => payload)
}

interface RoomsBelow {
  readonly audit: Audit
  readonly teams: Teams
  readonly secrets: Secrets
  readonly access: Access
}

/** Where no registration makes a source. */
const NOTHING_ABOVE: AboveGitApps = { createAppSource: async () => undefined }

/** The room as the house opens it, with the real providers; nobody is signed in to the page. */
export function openAppsRoom(
  kit: Kit,
  { audit, teams, secrets, access }: RoomsBelow,
  above = NOTHING_ABOVE,
): RoomParts<GitApps> | Promise<RoomParts<GitApps>> {
  const { authenticator } = access
  // Series of its own: a test may open the room twice on one kit.
  const own = { ...kit, metrics: createMetrics() }
  return gitApps.open(own, {
    audit,
    teams,
    secrets,
    access,
    sessions: { authenticator },
    forges: openForges(kit),
    above,
  })
}
