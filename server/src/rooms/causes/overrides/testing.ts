import assert from 'node:assert/strict'
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import type { Caller, HttpServer } from '#platform/http'
import type { Kit } from '#platform/room'
import { createTestHttp, createTestKit, type TestDatabase } from '#platform/testing'
import type { Clock } from '#platform/time'
import { knowledge } from '#rooms/catalog/knowledge'
import { pipelines } from '#rooms/catalog/pipelines'
import { profiles } from '#rooms/catalog/profiles'
import { runners } from '#rooms/catalog/runners'
import { runs } from '#rooms/execution/runs'
import { aPipeline, NOTHING_ABOVE as NO_PIPELINES_ABOVE } from '../../catalog/pipelines/testing.ts'
import { NOTHING_ABOVE } from '../../execution/runs/testing.ts'
import { aMember, openFoundation } from '../../foundation/access/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { type Overrides, overrides, type SourceDirectory, type VouchingSource } from './index.ts'

export const TEAM = 'acme/web'
export const SCOPE = 'acme/web/staging'
export const PIPELINE = 'acme/web/build'

/** The source of every repository, unless a test says otherwise. */
export const VOUCHES_FOR_ALL: VouchingSource = { visibleTo: () => true }

export interface Called {
  readonly status: number
  readonly headers: Response['headers']
  readonly body: Record<string, unknown> & { readonly [index: number]: Record<string, unknown> }
  readonly text: string
}

/** The room on the real rooms below it, over HTTP. */
export interface OverridesHouse {
  readonly kit: Kit
  readonly http: HttpServer
  readonly overrides: Overrides
  /** As the administrator unless headers say otherwise. */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Called>
  /** The caller that the headers name. */
  callerOf(headers: Readonly<Record<string, string>>): Promise<Caller>
  close(): Promise<void>
}

export interface HouseOptions {
  readonly clock?: Clock
  /** The sources of each repository; default: `VOUCHES_FOR_ALL`. */
  readonly listSources?: SourceDirectory
}

/** The team acme/web with the scope staging and the pipeline build, and an administrator. */
export async function openOverrides({ database }: TestDatabase, options: HouseOptions = {}): Promise<OverridesHouse> {
  const db = database.kysely
  await anEnvironment(db, SCOPE)
  await aPipeline(db, PIPELINE)
  const admin = await aMember(db, 'root', 'administrator', '/')
  return openOverridesBeside({ database }, admin.headers, options)
}

/** A second process on the same database. */
export async function openOverridesBeside(
  { database }: Pick<TestDatabase, 'database'>,
  adminHeaders: Readonly<Record<string, string>>,
  { clock, listSources = async () => () => [VOUCHES_FOR_ALL] }: HouseOptions = {},
): Promise<OverridesHouse> {
  const kit = createTestKit(database, clock ? { clock } : {})
  const foundation = await openFoundation(kit)
  const profileParts = await profiles.open(kit, foundation)
  const pipelineParts = await pipelines.open(kit, {
    ...foundation,
    profiles: profileParts.door,
    above: NO_PIPELINES_ABOVE,
  })
  const runnerParts = await runners.open(kit, foundation)
  const knowledgeParts = await knowledge.open(kit, foundation)
  const catalog = { knowledge: knowledgeParts.door, pipelines: pipelineParts.door, runners: runnerParts.door }
  const runParts = await runs.open(kit, { ...foundation, ...catalog, above: NOTHING_ABOVE })
  const above = { listSources, listTriggers: async () => [] }
  const parts = await overrides.open(kit, { ...foundation, ...catalog, runs: runParts.door, above })
  const routes = [...foundation.routes, ...(parts.routes ?? [])]
  const http = await createTestHttp(routes, foundation.access.authenticator)
  return {
    kit,
    http,
    overrides: parts.door,
    async call(method, url, body, headers = {}) {
      const request: InjectOptions = { method, url, headers: { ...adminHeaders, ...headers } }
      if (body !== undefined) {
        request.payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
        request.headers = { 'content-type': 'application/json', ...request.headers }
      }
      return toCalled(await http.app.inject(request))
    },
    async callerOf({ authorization }) {
      const credentials = { kind: 'bearer', authorization: authorization ?? '' } as const
      const caller = await foundation.access.authenticator.authenticate(credentials, '127.0.0.1')
      assert.ok(caller)
      return caller
    },
    async close() {
      await http.close(1000)
      for (const each of [parts, runParts, runnerParts, pipelineParts]) await each.close?.()
      await foundation.close()
    },
  }
}

function toCalled(response: Response): Called {
  const text = response.body
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    body: text === '' ? {} : JSON.parse(text),
  }
}
