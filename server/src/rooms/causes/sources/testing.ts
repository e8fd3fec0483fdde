import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import { openForges, verifyDelivery } from '#adapters/forges'
import { createGitReader } from '#adapters/git'
import { createIdempotency, createRouteCalls, type HttpServer, type Route, type RouteCalls } from '#platform/http'
import type { JobDefinition } from '#platform/jobs'
import { platformProblem } from '#platform/problems'
import type { Kit, RoomParts } from '#platform/room'
import { createTestHttp, createTestKit, type TestDatabase, type TestKit, type TestKitOptions } from '#platform/testing'
import { type Clock, systemClock } from '#platform/time'
import type { Tool } from '#platform/tools'
import type { GitApps } from '#rooms/catalog/git-apps'
import { knowledge } from '#rooms/catalog/knowledge'
import { pipelines } from '#rooms/catalog/pipelines'
import { profiles } from '#rooms/catalog/profiles'
import { runners } from '#rooms/catalog/runners'
import { type AboveEvents, type DeliveryReader, type Events, events } from '#rooms/causes/events'
import { overrides as overridesRoom } from '#rooms/causes/overrides'
import { type Triggers, triggers } from '#rooms/causes/triggers'
import { logs } from '#rooms/execution/logs'
import { type Runs, runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import { type Identities, identities } from '#rooms/foundation/identities'
import type { Secrets } from '#rooms/foundation/secrets'
import { sessions } from '#rooms/foundation/sessions'
import { type SignedDelivery, signPush } from '../../../adapters/forges/github/testing.ts'
import { openAppsRoom } from '../../catalog/git-apps/testing.ts'
import { aPipeline, NOTHING_ABOVE as NO_PIPELINES_ABOVE } from '../../catalog/pipelines/testing.ts'
import { NOTHING_ABOVE } from '../../execution/runs/testing.ts'
import { aMember, type Foundation, openFoundation } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { type Reports, reports } from '../reports/index.ts'
import { type AboveHealth, type Sources, sources } from './index.ts'
import type { Source } from './rules/index.ts'

/** The rooms of causes on the real rooms below them, over HTTP. */
export interface Causes {
  readonly kit: Kit
  readonly http: HttpServer
  readonly triggers: Triggers
  readonly runs: Runs
  readonly reports: Reports
  /** The room's contribution for readers of kept deliveries. */
  readonly readDeliveries: DeliveryReader
  /** Of events and sources, and those by which they hear of facts. The jobs run only when a test runs them. */
  readonly jobs: readonly JobDefinition[]
  /** Of the rooms of causes in this house, and how they call its routes. */
  readonly tools: readonly Tool[]
  readonly calls: RouteCalls
  /** Header of an administrator. */
  readonly admin: { readonly authorization: string }
  /** How often a commit said that runs were queued. */
  readonly queuedSignals: () => number
  /** Whether grants cannot be had from now on. */
  loseGrants(lost: boolean): void
  /** Sends as the administrator unless headers say otherwise; the answer's body is parsed. */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: unknown,
    options?: CallOptions,
  ): Promise<Called>
  close(): Promise<void>
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
}

export interface Called {
  readonly status: number
  readonly headers: Response['headers']
  readonly body: Record<string, unknown> & { readonly [index: number]: Record<string, unknown> }
  readonly text: string
}

/**
 * A clock whose limits of seconds never come: many deliveries at once wait for their turn, and a machine may be slow.
 */
export const patientClock: Clock = {
  ...systemClock,
  after: (ms, callback) => systemClock.after(ms < 1000 ? ms : ms * 100, callback),
}

export const SECRET = "It's a Secret to Everybody"
export const TEAM = 'acme/web'
export const SCOPE = 'acme/web/staging'
export const PIPELINE = 'acme/web/build'

interface CausesOptions extends Omit<TestKitOptions, 'env'> {
  /** Rooms above these, opened with them. */
  readonly upper?: UpperRooms
  readonly aboveHealth?: AboveHealth
}

/** The team acme/web with a secret `hook`, the scope staging, the pipeline build, and an administrator. */
export async function openCauses(
  { database }: TestDatabase,
  env: Readonly<Record<string, string>> = {},
  { upper, aboveHealth, ...means }: CausesOptions = {},
  gitApps?: CallerMaker,
): Promise<Causes> {
  const kit = createTestKit(database, { ...means, env })
  const db = database.kysely
  await anEnvironment(db, SCOPE)
  await aSecret(kit, db, { teamPath: TEAM, name: 'hook', value: SECRET })
  await aPipeline(db, PIPELINE)
  const admin = await aMember(db, 'root', 'administrator', '/')
  const house = await openRooms(kit, { makeCaller: gitApps, openUpper: upper, aboveHealth })
  const http = await createTestHttp(house.routes, house.authenticator, createIdempotency(kit))
  return {
    kit,
    http,
    triggers: house.triggers,
    runs: house.runs,
    reports: house.reports,
    readDeliveries: house.readDeliveries,
    jobs: house.jobs,
    tools: house.tools,
    calls: house.calls,
    admin: admin.headers,
    queuedSignals: house.queuedSignals,
    loseGrants: house.loseGrants,
    async call(method, url, body, options = {}) {
      const request: InjectOptions = { method, url, headers: { ...admin.headers, ...options.headers } }
      if (body !== undefined) request.payload = JSON.stringify(body)
      if (body !== undefined) request.headers = { 'content-type': 'application/json', ...request.headers }
      return toCalled(await http.app.inject(request))
    },
    async close() {
      await http.close(1000)
      await house.close()
    },
  }
}

export function toCalled(response: Response): Called {
  const text = response.body
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    body: text === '' ? {} : JSON.parse(text),
  }
}

/** Makes the part of git apps that calls providers. */
export type AppCalls = Pick<GitApps, 'call' | 'botLoginOf'>
export type CallerMaker = (secrets: Secrets, kit: Pick<Kit, 'database'>) => AppCalls

/** Calls providers with stored secrets alone: there is no app. */
export function callWithSecrets(secrets: Secrets, { database }: Pick<Kit, 'database'>): AppCalls {
  return {
    botLoginOf: async () => undefined,
    async call({ ref, teamPath }, _signal, work) {
      if (ref === null) return work(undefined)
      const read = await secrets.read(database.kysely, ref, teamPath)
      if ('unusable' in read) {
        const reason = `The credential of the source cannot be used: ${read.unusable}`
        return { outcome: 'failed', reason, retry: false }
      }
      const answer = await work(read.values[0])
      if (answer.outcome !== 'failed') secrets.markUsed(read)
      return answer
    },
  }
}

/** What rooms above those of this house are opened with. */
export interface LowerDoors extends Foundation {
  readonly identities: Identities
  readonly runs: Runs
  readonly triggers: Triggers
  readonly events: Events
  readonly sources: Sources
  readonly reports: Reports
  readonly gitApps: AppCalls
  readonly onRunsQueued: () => void
}

/** Opens rooms above; their routes, jobs and reactions are among those of the house. */
export type UpperRooms = (kit: TestKit, doors: LowerDoors) => Promise<readonly RoomParts<unknown>[]>

interface RoomsOptions {
  readonly makeCaller: CallerMaker | undefined
  readonly openUpper: UpperRooms | undefined
  readonly aboveHealth: AboveHealth | undefined
}

/** Nobody has looked for lost deliveries. */
export const NEVER_LOOKED: AboveHealth = {
  standingOf: async () => ({ looked_at: null, gap: null, missing: 0, recovered_7_days: 0, reason: null }),
  findMissed: async () => new Map(),
}

async function openRooms(
  kit: TestKit,
  { makeCaller, openUpper = async () => [], aboveHealth = NEVER_LOOKED }: RoomsOptions,
) {
  let signals = 0
  const onRunsQueued = (): void => {
    signals += 1
  }
  let grantsLost = false
  const opened = await openFoundation(kit, {
    secretsChanged: () => sourceParts.door.secretsChanged(),
    findUsers: (...asked) => sourceParts.door.findUsers(...asked),
  })
  const access: Access = {
    ...opened.access,
    snapshot() {
      if (!grantsLost) return opened.access.snapshot()
      const detail = 'The rights of callers cannot be known right now.'
      throw platformProblem('authorization_unavailable', detail, { headers: { 'retry-after': '2' } })
    },
  }
  const foundation = { ...opened, access }
  const sessionParts = await sessions.open(kit, foundation)
  const identityParts = await identities.open(kit, { ...foundation, sessions: sessionParts.door, openId: new Map() })
  const gitAppParts = await openAppsRoom(kit, foundation, {
    createAppSource: (...asked) => sourceParts.door.createAppSource(...asked),
  })
  const gitApps: GitApps = { ...gitAppParts.door, ...makeCaller?.(foundation.secrets, kit) }
  const profileParts = await profiles.open(kit, foundation)
  const pipelineParts = await pipelines.open(kit, {
    ...foundation,
    profiles: profileParts.door,
    above: NO_PIPELINES_ABOVE,
  })
  const runnerParts = await runners.open(kit, foundation)
  const knowledgeParts = await knowledge.open(kit, foundation)
  const catalog = { knowledge: knowledgeParts.door, pipelines: pipelineParts.door, runners: runnerParts.door }
  const runParts = await runs.open(kit, {
    ...foundation,
    ...catalog,
    above: {
      ...NOTHING_ABOVE,
      readHead: (...asked) => eventParts.door.readHead(...asked),
      findCheckout: (...asked) => eventParts.door.findCheckout(...asked),
    },
  })
  const below = { ...foundation, pipelines: pipelineParts.door, runs: runParts.door, onRunsQueued }
  const overrideParts = await overridesRoom.open(kit, {
    ...below,
    above: {
      listSources: () => sourceParts.door.listSources(),
      listTriggers: (repository) => triggerParts.door.listAbout(repository),
    },
  })
  const triggerParts = await triggers.open(kit, {
    ...below,
    above: { mayConnect: (...asked) => sourceParts.door.mayConnect(...asked) },
  })
  const aboveEvents: AboveEvents = {
    readDeliveries: (...asked) => sourceParts.door.readDeliveries(...asked),
    repositoryOf: (...asked) => sourceParts.door.repositoryOf(...asked),
    completeDelivery: (...asked) => sourceParts.door.completeDelivery(...asked),
    connectionsOf: (...asked) => sourceParts.door.connectionsOf(...asked),
  }
  const eventParts: RoomParts<Events> = await events.open(kit, {
    above: aboveEvents,
    ...below,
    overrides: overrideParts.door,
    triggers: triggerParts.door,
    git: createGitReader(kit.config.searchPath),
  })
  const sourceParts: RoomParts<Sources> = await sources.open(kit, {
    ...below,
    gitApps,
    above: {
      reporting: (started) => reportParts.door.reporting(started),
      ...aboveHealth,
    },
    overrides: overrideParts.door,
    triggers: triggerParts.door,
    events: eventParts.door,
    forges: { ...openForges(kit), verifyDelivery },
  })
  const logParts = await logs.open(kit, { ...foundation, runs: runParts.door })
  const reportParts: RoomParts<Reports> = await reports.open(kit, {
    ...below,
    identities: identityParts.door,
    gitApps,
    logs: logParts.door,
    sources: sourceParts.door,
    forges: openForges(kit),
  })
  const upper = await openUpper(kit, {
    ...foundation,
    identities: identityParts.door,
    runs: runParts.door,
    triggers: triggerParts.door,
    events: eventParts.door,
    sources: sourceParts.door,
    reports: reportParts.door,
    gitApps,
    onRunsQueued,
  })
  const own = [overrideParts, triggerParts, eventParts, sourceParts, reportParts, ...upper]
  const routes: Route[] = [
    ...foundation.routes,
    ...[identityParts, gitAppParts, runParts, ...own].flatMap((parts) => parts.routes ?? []),
  ]
  return {
    routes,
    tools: own.flatMap((parts) => parts.tools ?? []),
    calls: createRouteCalls({
      listRoutes: () => routes,
      authenticator: foundation.access.authenticator,
      idempotency: createIdempotency(kit),
    }),
    triggers: triggerParts.door,
    runs: runParts.door,
    readDeliveries: sourceParts.door.readDeliveries,
    reports: reportParts.door,
    jobs: [
      ...kit.connect([reportParts, ...upper].flatMap((parts) => parts.reactions ?? [])),
      ...[eventParts, sourceParts, reportParts, ...upper].flatMap((parts) => parts.jobs ?? []),
    ],
    authenticator: foundation.access.authenticator,
    queuedSignals: () => signals,
    loseGrants(lost: boolean) {
      grantsLost = lost
    },
    async close() {
      for (const parts of [...own.toReversed(), runParts, runnerParts, pipelineParts, gitAppParts, sessionParts])
        await parts.close?.()
      await foundation.close()
    },
  }
}

/** A document for POST /v1/git-webhook-sources. */
export function aSource(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    name: 'widgets',
    provider: 'github',
    team_path: TEAM,
    auth_mode: 'signature',
    credential_ref: `secret:${TEAM}/hook`,
    repository_allowlist: ['acme/*'],
    rate_limit: { per_minute: 100_000 },
    ...overrides,
  }
}

/** A document for POST /v1/triggers: pushes to main of acme/widgets start acme/web/build. */
/** A source as the room keeps it. */
export function aStoredSource(overrides: Partial<Source> = {}): Source {
  const at = new Date('2026-11-21T10:00:00.000Z')
  return {
    id: '01900000-0000-7000-8000-000000000001',
    name: 'shop',
    provider: 'github',
    enabled: true,
    teamPath: 'acme/web',
    visibility: 'private',
    authMode: 'signature',
    credentialRef: 'secret:acme/hook',
    baseUrl: null,
    checkoutCredentialRef: null,
    readRepository: false,
    reportStatus: false,
    commentCommands: false,
    repositoryAllowlist: ['acme/*'],
    rateLimitPerMinute: 600,
    acknowledgeUnmapped: false,
    owner: { kind: 'user', id: 'u', name: 'mona' },
    createdAt: at,
    updatedAt: at,
    ...overrides,
  }
}

export function aTrigger(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    name: 'main',
    team_path: TEAM,
    repositories: ['acme/widgets'],
    events: ['push'],
    branches: ['main'],
    pipeline: PIPELINE,
    scope: SCOPE,
    ...overrides,
  }
}

/** Creates both; answers the address of the source's ingress and the ids. */
export async function aConnectedSource(
  causes: Causes,
  source: Readonly<Record<string, unknown>> = {},
  trigger: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly id: string; readonly url: string; readonly triggerId: string }> {
  const created = await causes.call('POST', '/v1/git-webhook-sources', aSource(source))
  if (created.status !== 201) throw new Error(`The source was not created: ${created.text}`)
  const id = String(created.body['id'])
  const connected = await causes.call('POST', '/v1/triggers', aTrigger({ source_id: id, ...trigger }))
  if (connected.status !== 201) throw new Error(`The trigger was not created: ${connected.text}`)
  return { id, url: `/v1/git/webhooks/${id}`, triggerId: String(connected.body['id']) }
}

/** Posts what `signPush` and `signDelivery` make. */
export async function deliver(
  causes: Causes,
  url: string,
  delivery: SignedDelivery = signPush({ secret: SECRET }),
): Promise<Called> {
  const { headers, body } = delivery
  return toCalled(await causes.http.app.inject({ method: 'POST', url, headers, payload: body }))
}
