import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import type { Queryable } from '#platform/database'
import { createTestHttp, createTestKit, type TestDatabase, type TestKit } from '#platform/testing'
import type { Clock } from '#platform/time'
import { aMember, openFoundation } from '../../foundation/access/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { type Knowledge, knowledge } from './index.ts'
import type { ActiveEmergency, CopiedItem, JudgedPlace, JudgedRun, JudgedTask } from './rules/index.ts'

export const SCOPE = 'acme/web/production'

/** A policy of acme that applies everywhere, unless changed. */
export function aCopiedItem(changes: Partial<CopiedItem> = {}): CopiedItem {
  return {
    id: '01900000-0000-7000-8000-000000000001',
    revisionId: '01900000-0000-7000-8000-0000000000f1',
    teamPath: 'acme',
    name: 'freeze',
    kind: 'policy',
    scope: '**',
    rule: 'true',
    judgedAt: null,
    timeZone: 'UTC',
    message: 'Nothing is deployed now.',
    ...changes,
  }
}

export function anActiveEmergency(changes: Partial<ActiveEmergency> = {}): ActiveEmergency {
  return {
    id: '01900000-0000-7000-8000-00000000000e',
    scope: 'acme/**',
    teamPath: 'acme',
    reason: 'A leak.',
    declaredBy: 'ada',
    declaredAt: new Date('2026-11-21T09:00:00.000Z'),
    ...changes,
  }
}

/** A push of ada's to main of acme/shop starts acme/web/deploy in acme/web/production. */
export function aJudgedRun(changes: Partial<JudgedRun> = {}): JudgedRun {
  return {
    pipeline: 'acme/web/deploy',
    teamPath: 'acme/web',
    scope: SCOPE,
    initiator: { kind: 'user', name: 'ada' },
    cause: 'event',
    repository: 'acme/shop',
    branch: 'main',
    untrusted: false,
    variables: {},
    ...changes,
  }
}

export const RUN_BEGINS: JudgedPlace = { at: 'run' }

export function aStepPlace(changes: { scope?: string | null; images?: readonly string[] } = {}): JudgedPlace {
  return { at: 'step', step: { name: 'release', scope: null, images: [], ...changes } }
}

export function aTaskPlace(task: Partial<JudgedTask> = {}, scope: string | null = null): JudgedPlace {
  const whole = { name: 'ship', kind: 'run', image: null, images: [], profile: null, commands: '', ...task }
  return { at: 'task', step: { name: 'release', scope, images: whole.images }, task: whole }
}

export interface Called {
  readonly status: number
  readonly headers: Response['headers']
  readonly body: Record<string, unknown> & { readonly [index: number]: Record<string, unknown> }
  readonly text: string
}

/** The room on the real rooms below it, over HTTP. */
export interface KnowledgeHouse {
  readonly kit: TestKit
  readonly db: Queryable
  readonly knowledge: Knowledge
  /** As the administrator unless headers say otherwise. */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Called>
  close(): Promise<void>
}

/** The scopes acme/web/production and acme/web/staging, and an administrator. */
export async function openKnowledge(testDatabase: TestDatabase, clock?: Clock): Promise<KnowledgeHouse> {
  const db = testDatabase.database.kysely
  await anEnvironment(db, SCOPE)
  await anEnvironment(db, 'acme/web/staging')
  const admin = await aMember(db, 'root', 'administrator', '/')
  return openKnowledgeBeside(testDatabase, admin.headers, clock)
}

/** A second process on the same database. */
export async function openKnowledgeBeside(
  { database }: Pick<TestDatabase, 'database'>,
  adminHeaders: Readonly<Record<string, string>> = {},
  clock?: Clock,
): Promise<KnowledgeHouse> {
  const kit = createTestKit(database, clock ? { clock } : {})
  const foundation = await openFoundation(kit)
  const parts = await knowledge.open(kit, foundation)
  const http = await createTestHttp([...foundation.routes, ...(parts.routes ?? [])], foundation.access.authenticator)
  return {
    kit,
    db: database.kysely,
    knowledge: parts.door,
    async call(method, url, body, headers = {}) {
      const request: InjectOptions = { method, url, headers: { ...adminHeaders, ...headers } }
      if (body !== undefined) {
        request.payload = JSON.stringify(body)
        request.headers = { 'content-type': 'application/json', ...request.headers }
      }
      const response = await http.app.inject(request)
      const text = response.body
      return {
        status: response.statusCode,
        headers: response.headers,
        text,
        body: text === '' ? {} : JSON.parse(text),
      }
    },
    async close() {
      await http.close(1000)
      await parts.close?.()
      await foundation.close()
    },
  }
}
