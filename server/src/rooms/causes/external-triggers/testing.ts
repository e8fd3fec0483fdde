import type { InjectOptions } from 'fastify'
import { createIdempotency, type HttpServer } from '#platform/http'
import { createTestHttp, createTestKit, type TestDatabase, type TestKit, type TestKitOptions } from '#platform/testing'
import { aDocument, aPipeline } from '../../catalog/pipelines/testing.ts'
import { NOTHING_ABOVE, openRuns, type RunsHouse } from '../../execution/runs/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { type Called, type CallOptions, toCalled } from '../sources/testing.ts'
import { externalTriggers } from './index.ts'

export const TEAM = 'acme/web'
export const SCOPE = 'acme/web/staging'
export const PIPELINE = 'acme/web/deploy'
export const PATH = '/v1/external-triggers'

/** The room on the real rooms below it, over HTTP. */
export interface ExternalTriggersHouse {
  readonly kit: TestKit
  readonly rooms: RunsHouse
  readonly http: HttpServer
  /** Header of an administrator. */
  readonly admin: { readonly authorization: string }
  /** How often a commit said that runs were queued. */
  readonly queuedSignals: () => number
  /** Sends as the administrator unless headers say otherwise; the answer's body is parsed. */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: unknown,
    options?: CallOptions,
  ): Promise<Called>
  /** Makes one, with its secret. */
  create(overrides?: Readonly<Record<string, unknown>>): Promise<MadeTrigger>
  /** By the secret as the bearer, from an address of its own. */
  fire(made: MadeTrigger, body?: unknown, options?: CallOptions): Promise<Called>
  close(): Promise<void>
}

export interface MadeTrigger {
  readonly id: string
  readonly identifier: string
  readonly secret: string
}

/** The team acme/web with the scope staging, the pipeline deploy with two variables, and an administrator. */
export async function openExternalTriggers(
  { database }: TestDatabase,
  options: TestKitOptions = {},
): Promise<ExternalTriggersHouse> {
  const kit = createTestKit(database, options)
  const db = database.kysely
  await anEnvironment(db, SCOPE)
  await aPipeline(db, PIPELINE, aDocument('deploy', 'variables: { VERSION: latest, REGION: eu }\n'))
  const admin = await aMember(db, 'root', 'administrator', '/')
  const rooms = await openRuns(kit, NOTHING_ABOVE)
  let signals = 0
  const onRunsQueued = (): void => {
    signals += 1
  }
  const parts = await externalTriggers.open(kit, { ...rooms, onRunsQueued })
  const routes = [...rooms.routes, ...(parts.routes ?? [])]
  const http = await createTestHttp(routes, rooms.access.authenticator, createIdempotency(kit))
  const send: ExternalTriggersHouse['call'] = async (method, url, body, callOptions = {}) => {
    const request: InjectOptions = { method, url, headers: { ...callOptions.headers } }
    if (body !== undefined) request.payload = JSON.stringify(body)
    if (body !== undefined) request.headers = { 'content-type': 'application/json', ...request.headers }
    return toCalled(await http.app.inject(request))
  }
  const call: ExternalTriggersHouse['call'] = (method, url, body, { headers } = {}) =>
    send(method, url, body, { headers: { ...admin.headers, ...headers } })
  let made = 0
  return {
    kit,
    rooms,
    http,
    admin: admin.headers,
    queuedSignals: () => signals,
    call,
    async create(overrides = {}) {
      made += 1
      const { status, body, text } = await call('POST', PATH, anExternalTrigger({ name: `t${made}`, ...overrides }))
      if (status !== 201) throw new Error(`${status} ${text}`)
      return { id: String(body['id']), identifier: String(body['identifier']), secret: String(body['secret']) }
    },
    fire: ({ id, secret }, body, { headers } = {}) =>
      send('POST', `${PATH}/${id}/fire`, body, { headers: { authorization: `Bearer ${secret}`, ...headers } }),
    async close() {
      await http.close(1000)
      await rooms.close()
    },
  }
}

/** A document for POST /v1/external-triggers: whoever fires it may set VERSION. */
export function anExternalTrigger(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    team_path: TEAM,
    name: 'deploy',
    pipeline: PIPELINE,
    scope: SCOPE,
    variables: { REGION: 'us' },
    allowed_variables: ['VERSION'],
    ...overrides,
  }
}
