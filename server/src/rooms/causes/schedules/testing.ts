import type { InjectOptions } from 'fastify'
import { createIdempotency, createRouteCalls, type HttpServer, type RouteCalls } from '#platform/http'
import { createTestHttp, createTestKit, type TestDatabase, type TestKit, type TestKitOptions } from '#platform/testing'
import type { Tool } from '#platform/tools'
import { type AboveRuns } from '#rooms/execution/runs'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { NOTHING_ABOVE, openRuns, type RunsHouse } from '../../execution/runs/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { type Called, type CallOptions, toCalled } from '../sources/testing.ts'
import { schedules } from './index.ts'
import type { Means } from './means.ts'
import { createScheduler, type Scheduler } from './scheduler/scheduler.ts'

export const TEAM = 'acme/web'
export const SCOPE = 'acme/web/staging'
export const PIPELINE = 'acme/web/build'

/** The room on the real rooms below it, over HTTP. No loop runs: a test fires when it wants to. */
export interface SchedulesHouse {
  readonly kit: TestKit
  readonly rooms: RunsHouse
  readonly means: Means
  readonly http: HttpServer
  readonly scheduler: Scheduler
  readonly tools: readonly Tool[]
  /** How tools call routes. */
  readonly calls: RouteCalls
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
  close(): Promise<void>
}

export interface SchedulesOptions extends TestKitOptions {
  readonly above?: AboveRuns
}

/** The team acme/web with the scope staging, the pipeline build, and an administrator. */
export async function openSchedules(
  { database }: TestDatabase,
  { above = NOTHING_ABOVE, ...options }: SchedulesOptions = {},
): Promise<SchedulesHouse> {
  const kit = createTestKit(database, options)
  const db = database.kysely
  await anEnvironment(db, SCOPE)
  await aPipeline(db, PIPELINE)
  const admin = await aMember(db, 'root', 'administrator', '/')
  const rooms = await openRuns(kit, above)
  let signals = 0
  const onRunsQueued = (): void => {
    signals += 1
  }
  const means: Means = { ...kit, ...rooms, onRunsQueued }
  const parts = await schedules.open(kit, means)
  const routes = [...rooms.routes, ...(parts.routes ?? [])]
  const http = await createTestHttp(routes, rooms.access.authenticator, createIdempotency(kit))
  return {
    kit,
    rooms,
    means,
    http,
    scheduler: createScheduler(means),
    tools: parts.tools ?? [],
    calls: createRouteCalls({
      listRoutes: () => routes,
      authenticator: rooms.access.authenticator,
      idempotency: createIdempotency(kit),
    }),
    admin: admin.headers,
    queuedSignals: () => signals,
    async call(method, url, body, callOptions = {}) {
      const request: InjectOptions = { method, url, headers: { ...admin.headers, ...callOptions.headers } }
      if (body !== undefined) request.payload = JSON.stringify(body)
      if (body !== undefined) request.headers = { 'content-type': 'application/json', ...request.headers }
      return toCalled(await http.app.inject(request))
    },
    async close() {
      await http.close(1000)
      await rooms.close()
    },
  }
}

/** A document for POST /v1/schedules: every day at 02:30 in Berlin. */
export function aSchedule(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    path: TEAM,
    name: 'nightly',
    pipeline: PIPELINE,
    schedule_kind: 'recurring',
    cron_expression: '30 2 * * *',
    timezone: 'Europe/Berlin',
    scope: SCOPE,
    ...overrides,
  }
}

/** The fields that a problem names. */
export function fieldsOf(body: Record<string, unknown>): string[] {
  return (Array.isArray(body['errors']) ? body['errors'] : []).map((error: { field: string }) => error.field)
}
