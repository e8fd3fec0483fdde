import { urlOf } from '#platform/config'
import { createGrpcServer, type GrpcServer } from '#platform/grpc'
import type { HttpServer } from '#platform/http'
import { type JobDefinition, type JobWorker, startJobWorker } from '#platform/jobs'
import type { Kit, Loop, RoomParts } from '#platform/room'
import type { Certificates } from './certificates.ts'

/** The addresses on which the house listens; absent where its role is not on. */
export interface Addresses {
  readonly url?: string
  readonly runner_url?: string
}

export interface Serving {
  /** Listens and starts the loops of this process's roles. */
  start(): Promise<Addresses>
  /** Stops accepting, finishes what is in hand, leaves nothing running. */
  stop(): Promise<void>
}

export interface ServingParts {
  readonly rooms: readonly RoomParts<unknown>[]
  readonly http: HttpServer
  readonly jobs: readonly JobDefinition[]
  readonly certificates: Certificates
  /** Told the address of the API before the first loop begins. */
  readonly onListening?: (url: string) => void
}

/** The life of an opened house: what listens, what loops, and the order in which all of it ends. */
export function createServing(kit: Kit, { rooms, http, jobs, certificates, onListening }: ServingParts): Serving {
  const { clock, config, log, database } = kit
  const graceMs = config.shutdownGraceSeconds * 1000
  const stopping = new AbortController()
  const running: Promise<void>[] = []
  let grpc: GrpcServer | undefined
  let worker: JobWorker | undefined

  async function listenForCallers(): Promise<string> {
    const port = await http.listen(config.host, config.port)
    return urlOf(config.host, port, certificates.api ? 'https' : 'http')
  }

  async function listenForRunners(): Promise<string | undefined> {
    if (!config.roles.has('gateway')) return undefined
    const services = rooms.flatMap((room) => room.services ?? [])
    grpc = createGrpcServer(services, certificates.runners, clock)
    return urlOf(config.runnerHost, await grpc.listen(config.runnerHost, config.runnerPort))
  }

  return {
    async start() {
      // The address first: where it is taken, nothing has begun yet.
      const url = config.roles.has('api') ? await listenForCallers() : undefined
      if (url !== undefined) onListening?.(url)
      for (const kept of [certificates.api, certificates.runners]) {
        if (kept) running.push(kept.watch(stopping.signal))
      }
      for (const loop of rooms.flatMap((room) => room.loops ?? [])) {
        if (config.roles.has(loop.role)) running.push(keepRunning(loop, kit, stopping.signal))
      }
      if (config.roles.has('worker')) worker = await startJobWorker(database, jobs, log, clock)
      const runnerUrl = await listenForRunners()
      return { ...(url ? { url } : {}), ...(runnerUrl ? { runner_url: runnerUrl } : {}) }
    },
    async stop() {
      await endPart(kit, 'http', http.close(graceMs))
      stopping.abort()
      await endPart(kit, 'loops', Promise.all(running))
      await endPart(kit, 'runner gateway', grpc?.close(graceMs))
      await endPart(kit, 'job worker', worker?.stop())
      for (const room of rooms.toReversed()) await endPart(kit, 'room', room.close?.())
    },
  }
}

/** Parts that cut what is in hand by themselves do so after the grace; this is for those that then still hang. */
const MARGIN_MS = 2000

/** A part that cannot end must not keep the others, and the embedded database behind them, from ending cleanly. */
async function endPart({ clock, config, log }: Kit, part: string, ending: Promise<unknown> | undefined): Promise<void> {
  const late = Promise.withResolvers<'late'>()
  const timer = clock.after(config.shutdownGraceSeconds * 1000 + MARGIN_MS, () => late.resolve('late'))
  try {
    if ((await Promise.race([ending, late.promise])) === 'late') log.warn({ part }, 'a part did not end in time')
  } catch (error) {
    log.error({ err: error, part }, 'a part did not end cleanly')
  } finally {
    timer.cancel()
  }
}

const RESTART_MS = 1000

/** A loop that throws is told and begun again: no single failure may end what keeps runs moving. */
async function keepRunning(loop: Loop, kit: Kit, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await loop.run(signal)
    } catch (error) {
      kit.log.error({ err: error, loop: loop.name }, 'a loop failed and is begun again')
    }
    await kit.clock.sleep(RESTART_MS, signal)
  }
}
