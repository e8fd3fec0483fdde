import { readFileSync } from 'node:fs'
import { createGrpcServer, type GrpcServer } from '#platform/grpc'
import { type Authenticator, createHttpServer, type HttpServer } from '#platform/http'
import { type JobWorker, startJobWorker } from '#platform/jobs'
import type { Loop, RoomParts } from '#platform/room'
import { audit } from '#rooms/foundation/audit'
import { health } from '#rooms/front/health'
import type { Ground } from './ground.ts'

/** The addresses on which the house listens; absent where its role is not on. */
export interface Addresses {
  readonly url?: string
  readonly runner_url?: string
}

export interface House {
  /** Listens and starts the loops of this process's roles. */
  start(): Promise<Addresses>
  /** Stops accepting, finishes what is in hand, leaves nothing running. */
  stop(): Promise<void>
  readonly http: HttpServer
}

type Parts = RoomParts<unknown>

/** The composition root: the only file that knows every room. Read it from cellar to roof. */
export async function openHouse(ground: Ground): Promise<House> {
  const { kit, factsHouse, probes } = ground
  const rooms: Parts[] = []
  const enter = <P extends Parts>(parts: P): P => {
    rooms.push(parts)
    return parts
  }

  // foundation
  enter(await audit.open(kit, {}))

  // front
  const contributedProbes = [...probes, ...rooms.flatMap((room) => room.probes ?? [])]
  enter(await health.open(kit, { probes: contributedProbes }))
  const authenticator: Authenticator = {
    authenticate: async () => undefined,
    requireFresh: async () => undefined,
    isSetupLocked: async () => true,
  }

  const reactionJob = factsHouse.connect(rooms.flatMap((room) => room.reactions ?? []))
  const jobs = [reactionJob, ...rooms.flatMap((room) => room.jobs ?? [])]
  const loops = rooms.flatMap((room) => room.loops ?? [])
  const http = await createHttpServer({
    log: kit.log,
    ids: kit.ids,
    clock: kit.clock,
    bodyLimit: kit.config.bodyLimit,
    authenticator,
    routes: rooms.flatMap((room) => room.routes ?? []),
    info: OPENAPI,
  })
  await http.ready()
  return assemble(ground, rooms, { http, jobs, loops })
}

interface Assembled {
  readonly http: HttpServer
  readonly jobs: Parameters<typeof startJobWorker>[1]
  readonly loops: readonly Loop[]
}

function assemble(ground: Ground, rooms: readonly Parts[], { http, jobs, loops }: Assembled): House {
  const { clock, config, log, database } = ground.kit
  const graceMs = config.shutdownGraceSeconds * 1000
  const stopping = new AbortController()
  const running: Promise<void>[] = []
  let grpc: GrpcServer | undefined
  let worker: JobWorker | undefined
  return {
    http,
    async start() {
      const url = config.roles.has('api') ? urlOf(config.host, await http.listen(config.host, config.port)) : undefined
      if (config.roles.has('gateway'))
        grpc = createGrpcServer(
          rooms.flatMap((room) => room.services ?? []),
          readTls(config),
          clock,
        )
      const runnerPort = await grpc?.listen(config.runnerHost, config.runnerPort)
      if (config.roles.has('worker')) worker = await startJobWorker(database, jobs, log)
      for (const loop of loops.filter((candidate) => config.roles.has(candidate.role))) {
        running.push(keepRunning(loop, ground, stopping.signal))
      }
      return {
        ...(url ? { url } : {}),
        ...(runnerPort === undefined ? {} : { runner_url: urlOf(config.runnerHost, runnerPort) }),
      }
    },
    async stop() {
      await http.close(graceMs)
      stopping.abort()
      await Promise.all(running)
      await grpc?.close(graceMs)
      await worker?.stop()
      for (const room of rooms.toReversed()) await room.close?.()
    },
  }
}

const RESTART_MS = 1000

/** A loop that throws is told and begun again: no single failure may end what keeps runs moving. */
async function keepRunning(loop: Loop, ground: Ground, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await loop.run(signal)
    } catch (error) {
      ground.kit.log.error({ err: error, loop: loop.name }, 'a loop failed and is begun again')
    }
    await ground.kit.clock.sleep(RESTART_MS, signal)
  }
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function readTls(config: Ground['kit']['config']): Parameters<typeof createGrpcServer>[1] {
  if (!config.runnerTlsCert || !config.runnerTlsKey) return undefined
  return { certificateChain: readFileSync(config.runnerTlsCert), privateKey: readFileSync(config.runnerTlsKey) }
}

const OPENAPI = {
  openapi: '3.1.0',
  info: {
    title: 'Signalbox',
    version: '0.1.0',
    description: 'Turns Git events, schedules and requests into runs of pipelines on runners.',
  },
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
} as const
