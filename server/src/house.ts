import { join } from 'node:path'
import { openForges } from '#adapters/forges'
import { createGitReader } from '#adapters/git'
import { createObjectStore } from '#adapters/object-store'
import { openProviders } from '#adapters/openid'
import {
  browserAccessOf,
  createHttpServer,
  createIdempotency,
  createRouteCalls,
  type HttpServer,
  type Route,
  withProblems,
} from '#platform/http'
import { type McpServerType, openDocuments } from '#platform/mcp'
import { openPage } from '#platform/page'
import type { RoomParts } from '#platform/room'
import { type AboveGitApps, type GitApps, gitApps as gitAppsRoom } from '#rooms/catalog/git-apps'
import { knowledge as knowledgeRoom } from '#rooms/catalog/knowledge'
import { type AbovePipelines, pipelines as pipelinesRoom } from '#rooms/catalog/pipelines'
import { profiles as profilesRoom } from '#rooms/catalog/profiles'
import { runners as runnersRoom } from '#rooms/catalog/runners'
import { commands as commandsRoom } from '#rooms/causes/commands'
import { type AboveEvents, type Events, events as eventsRoom } from '#rooms/causes/events'
import { type ExternalTriggers, externalTriggers as externalTriggersRoom } from '#rooms/causes/external-triggers'
import { type AboveOverrides, type Overrides, overrides as overridesRoom } from '#rooms/causes/overrides'
import { type Recovery, recovery as recoveryRoom } from '#rooms/causes/recovery'
import { type Reports, reports as reportsRoom } from '#rooms/causes/reports'
import { type Schedules, schedules as schedulesRoom } from '#rooms/causes/schedules'
import { type AboveHealth, type AboveSources, type Sources, sources as sourcesRoom } from '#rooms/causes/sources'
import { type AboveTriggers, type Triggers, triggers as triggersRoom } from '#rooms/causes/triggers'
import { type Approvals, approvals as approvalsRoom } from '#rooms/execution/approvals'
import { artifacts as artifactsRoom } from '#rooms/execution/artifacts'
import { dispatch as dispatchRoom } from '#rooms/execution/dispatch'
import { logs as logsRoom } from '#rooms/execution/logs'
import { type AboveRuns, runs as runsRoom } from '#rooms/execution/runs'
import { type AboveAccess, access as accessRoom } from '#rooms/foundation/access'
import { audit as auditRoom } from '#rooms/foundation/audit'
import { identities as identitiesRoom } from '#rooms/foundation/identities'
import { preferences as preferencesRoom } from '#rooms/foundation/preferences'
import { type AboveSecrets, secrets as secretsRoom } from '#rooms/foundation/secrets'
import { type Sessions, sessions as sessionsRoom } from '#rooms/foundation/sessions'
import { settings as settingsRoom } from '#rooms/foundation/settings'
import { teams as teamsRoom } from '#rooms/foundation/teams'
import { about as aboutRoom } from '#rooms/front/about'
import { health as healthRoom } from '#rooms/front/health'
import { live as liveRoom } from '#rooms/front/live'
import { type Mcp, mcp as mcpRoom } from '#rooms/front/mcp'
import { overview as overviewRoom } from '#rooms/front/overview'
import { plans as plansRoom } from '#rooms/front/plans'
import { search as searchRoom } from '#rooms/front/search'
import { setup as setupRoom } from '#rooms/front/setup'
import { type Certificates, registerCertificateMetrics } from './certificates.ts'
import type { Ground } from './ground.ts'
import { createServing, type Serving } from './serving.ts'

interface Above {
  readonly gitApps: AboveGitApps
  readonly secrets: AboveSecrets
  readonly access: AboveAccess
  readonly pipelines: AbovePipelines
  readonly runs: AboveRuns
  readonly overrides: AboveOverrides
  readonly triggers: AboveTriggers
  readonly events: AboveEvents
  readonly sources: AboveSources & AboveHealth
}

export interface House extends Serving {
  /** The tools of all rooms. */
  readonly describeTools: Mcp['describeTools']
  readonly http: HttpServer
  /** Where the generated bootstrap token lies, while it is what lets people in. */
  readonly bootstrapTokenPath: string | undefined
}

/** What only a test hands in: no configuration can. */
export interface Additions {
  readonly mcpServerType?: McpServerType
}

/** The composition root: the only file that knows every room. Read it from cellar to roof. */
export async function openHouse(
  ground: Ground,
  certificates: Certificates,
  { mcpServerType }: Additions = {},
): Promise<House> {
  const { kit, factsHouse } = ground
  registerCertificateMetrics(kit.metrics, certificates)
  const rooms: RoomParts<unknown>[] = []
  const enter = async <Door>(opened: RoomParts<Door> | Promise<RoomParts<Door>>): Promise<Door> => {
    const parts = await opened
    rooms.push(parts)
    return parts.door
  }

  // What rooms ask of rooms above them: here and nowhere else. Nobody asks before all rooms are open.
  const above: Above = {
    // Until sources make the source of an app.
    gitApps: { createAppSource: (...asked) => sources.createAppSource(...asked) },
    secrets: {
      secretsChanged: () => sources.secretsChanged(),
      findUsers: async (...asked) => [...(await sources.findUsers(...asked)), ...(await gitApps.findUsers(...asked))],
    },
    access: { endSessions: (...asked) => sessions.endSessions(...asked) },
    pipelines: {
      async listStarting(...asked) {
        const causes = [overrides, triggers, schedules, externalTriggers]
        return (await Promise.all(causes.map((room) => room.listStarting(...asked)))).flat()
      },
    },
    runs: {
      readHead: (...asked) => events.readHead(...asked),
      findCheckout: (...asked) => events.findCheckout(...asked),
      readRequests: (...asked) => approvals.readRequests(...asked),
    },
    overrides: {
      listSources: () => sources.listSources(),
      listTriggers: (...asked) => triggers.listAbout(...asked),
    },
    triggers: { mayConnect: (...asked) => sources.mayConnect(...asked) },
    events: {
      readDeliveries: (...asked) => sources.readDeliveries(...asked),
      repositoryOf: (...asked) => sources.repositoryOf(...asked),
      completeDelivery: (...asked) => sources.completeDelivery(...asked),
      connectionsOf: (...asked) => sources.connectionsOf(...asked),
    },
    sources: {
      reporting: (...asked) => reports.reporting(...asked),
      standingOf: (...asked) => recovery.standingOf(...asked),
      findMissed: (...asked) => recovery.findMissed(...asked),
    },
  }

  // foundation: who asks, what is secret, what was done
  const audit = await enter(auditRoom.open(kit, {}))
  const teams = await enter(teamsRoom.open(kit, { audit }))
  const secrets = await enter(secretsRoom.open(kit, { audit, teams, above: above.secrets }))
  await enter(settingsRoom.open(kit, { audit }))
  const access = await enter(accessRoom.open(kit, { audit, teams, above: above.access }))
  await enter(preferencesRoom.open(kit, {}))
  const sessions: Sessions = await enter(sessionsRoom.open(kit, { audit, access }))
  const openId = openProviders(kit.config.signInProviders, kit.clock)
  const identities = await enter(identitiesRoom.open(kit, { audit, access, sessions, openId }))

  // catalog: what runs are made of
  const forges = openForges(kit)
  const gitApps: GitApps = await enter(
    gitAppsRoom.open(kit, { audit, teams, secrets, access, sessions, forges, above: above.gitApps }),
  )
  const knowledge = await enter(knowledgeRoom.open(kit, { audit, teams }))
  const profiles = await enter(profilesRoom.open(kit, { audit }))
  const pipelines = await enter(
    pipelinesRoom.open(kit, { audit, teams, secrets, access, profiles, above: above.pipelines }),
  )
  const runners = await enter(runnersRoom.open(kit, { audit, teams }))
  const catalog = { knowledge, profiles, pipelines, runners }

  // execution: how a run lives
  const runs = await enter(
    runsRoom.open(kit, { audit, teams, secrets, access, knowledge, pipelines, runners, above: above.runs }),
  )
  const approvals: Approvals = await enter(approvalsRoom.open(kit, { audit, access, identities, runs }))
  const logs = await enter(logsRoom.open(kit, { runs, audit, secrets }))
  const objects = createObjectStore(kit.config)
  // Where this process listens; known once it does.
  const api: { url?: string } = {}
  const artifacts = await enter(artifactsRoom.open(kit, { audit, teams, runs, objects, api }))
  const dispatch = await enter(
    dispatchRoom.open(kit, { ...catalog, access, teams, secrets, gitApps, runs, approvals, artifacts, logs }),
  )
  const onRunsQueued = (): void => dispatch.poke()

  // causes: why a run starts
  const overrides: Overrides = await enter(
    overridesRoom.open(kit, { audit, access, pipelines, runs, above: above.overrides }),
  )
  const triggers: Triggers = await enter(
    triggersRoom.open(kit, { audit, teams, pipelines, access, runs, above: above.triggers }),
  )
  const git = createGitReader(kit.config.searchPath)
  const below = { audit, teams, pipelines, access, runs }
  const events: Events = await enter(
    eventsRoom.open(kit, { ...below, overrides, triggers, git, onRunsQueued, above: above.events }),
  )
  const sources: Sources = await enter(
    sourcesRoom.open(kit, {
      ...below,
      above: above.sources,
      secrets,
      gitApps,
      overrides,
      triggers,
      events,
      forges,
      onRunsQueued,
    }),
  )
  const reports: Reports = await enter(
    reportsRoom.open(kit, { access, identities, gitApps, runs, logs, sources, forges, onRunsQueued }),
  )
  const reached = { gitApps, triggers, events, sources, reports, forges }
  await enter(commandsRoom.open(kit, { audit, teams, access, identities, runs, approvals, ...reached, onRunsQueued }))
  const recovery: Recovery = await enter(recoveryRoom.open(kit, { audit, gitApps, events, sources, forges }))
  const schedules: Schedules = await enter(schedulesRoom.open(kit, { audit, teams, access, runs, onRunsQueued }))
  const externalTriggers: ExternalTriggers = await enter(
    externalTriggersRoom.open(kit, { audit, teams, access, runs, onRunsQueued }),
  )

  // front: other ways in, and is anybody home
  const idempotency = createIdempotency(kit)
  const listRoutes = (): Route[] =>
    rooms.flatMap(({ routes = [], problems = [] }) => routes.map((route) => withProblems(route, problems)))
  // Called by agents' tools and plans, when all rooms are open.
  const calls = createRouteCalls({ listRoutes, authenticator: sessions.authenticator, idempotency })
  const planners = rooms.flatMap((room) => room.planners ?? [])
  await enter(plansRoom.open(kit, { audit, teams, access, sessions, pipelines, calls, planners }))
  const page = openPage(PAGE)
  await enter(liveRoom.open(kit, { access, topics: rooms.flatMap((room) => room.live ?? []) }))
  const probes = [...ground.probes, ...rooms.flatMap((room) => room.probes ?? [])]
  await enter(setupRoom.open(kit, { access, secrets, probes }))
  await enter(healthRoom.open(kit, { probes }))
  await enter(aboutRoom.open(kit, { version: OPENAPI.version, findPageVersion: () => page.version() }))
  const searches = rooms.flatMap((room) => room.searches ?? [])
  const finders = rooms.flatMap((room) => room.finders ?? [])
  await enter(searchRoom.open(kit, { teams, searches, finders }))
  await enter(overviewRoom.open(kit, { teams, pipelines, runners, runs, approvals, sources, schedules }))

  const tools = rooms.flatMap((room) => room.tools ?? [])
  const { version } = OPENAPI
  const mcp: Mcp = await enter(
    mcpRoom.open(kit, {
      access,
      audit,
      calls,
      tools,
      documents: openDocuments(DOCS),
      version,
      serverType: mcpServerType,
    }),
  )
  mcp.requireSoundTools()

  const http = await createHttpServer({
    log: kit.log,
    ids: kit.ids,
    clock: kit.clock,
    bodyLimit: kit.config.bodyLimit,
    trustedProxies: kit.config.trustedProxies,
    authenticator: sessions.authenticator,
    browsers: browserAccessOf(kit.config),
    routes: listRoutes(),
    ...(certificates.api ? { certificate: certificates.api } : {}),
    info: OPENAPI,
    idempotency,
    baseUrl: kit.config.baseUrl,
    page,
  })
  await http.ready()
  const factJobs = factsHouse.connect(rooms.flatMap((room) => room.reactions ?? []))
  const jobs = [...factJobs, idempotency.job, ...rooms.flatMap((room) => room.jobs ?? [])]
  const bootstrapTokenPath = await access.prepareBootstrap()
  return {
    ...createServing(kit, { rooms, http, jobs, certificates, onListening: (url) => void (api.url = url) }),
    http,
    bootstrapTokenPath,
    describeTools: () => mcp.describeTools(),
  }
}

/** Where the build of the web page lies in a checkout and in a release. */
const PAGE = join(import.meta.dirname, '../../ui/dist')

/** Where the pages of the documentation lie. */
const DOCS = join(import.meta.dirname, '../../docs')

const OPENAPI = {
  title: 'Signalbox',
  version: '0.1.0',
  description: 'Turns Git events, schedules and requests into runs of pipelines on runners.',
} as const
