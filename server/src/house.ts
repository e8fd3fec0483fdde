import { createHttpServer, type HttpServer } from '#platform/http'
import type { RoomParts } from '#platform/room'
import { pipelines as pipelinesRoom } from '#rooms/catalog/pipelines'
import { profiles as profilesRoom } from '#rooms/catalog/profiles'
import { access as accessRoom } from '#rooms/foundation/access'
import { audit as auditRoom } from '#rooms/foundation/audit'
import { secrets as secretsRoom } from '#rooms/foundation/secrets'
import { teams as teamsRoom } from '#rooms/foundation/teams'
import { health as healthRoom } from '#rooms/front/health'
import type { Ground } from './ground.ts'
import { createServing, type Serving } from './serving.ts'

export interface House extends Serving {
  readonly http: HttpServer
}

/** The composition root: the only file that knows every room. Read it from cellar to roof. */
export async function openHouse(ground: Ground): Promise<House> {
  const { kit, factsHouse } = ground
  const rooms: RoomParts<unknown>[] = []
  const enter = async <Door>(opened: RoomParts<Door> | Promise<RoomParts<Door>>): Promise<Door> => {
    const parts = await opened
    rooms.push(parts)
    return parts.door
  }

  // foundation: who asks, what is secret, what was done
  const audit = await enter(auditRoom.open(kit, {}))
  const teams = await enter(teamsRoom.open(kit, { audit }))
  const secrets = await enter(secretsRoom.open(kit, { audit, teams }))
  const access = await enter(accessRoom.open(kit, { audit, teams }))

  // catalog: what runs are made of
  const profiles = await enter(profilesRoom.open(kit, { audit }))
  await enter(pipelinesRoom.open(kit, { audit, teams, secrets, profiles }))

  // front: other ways in, and is anybody home
  const probes = [...ground.probes, ...rooms.flatMap((room) => room.probes ?? [])]
  await enter(healthRoom.open(kit, { probes }))

  const http = await createHttpServer({
    log: kit.log,
    ids: kit.ids,
    clock: kit.clock,
    bodyLimit: kit.config.bodyLimit,
    authenticator: access.authenticator,
    routes: rooms.flatMap((room) => room.routes ?? []),
    info: OPENAPI,
  })
  await http.ready()
  const reactionJob = factsHouse.connect(rooms.flatMap((room) => room.reactions ?? []))
  const jobs = [reactionJob, ...rooms.flatMap((room) => room.jobs ?? [])]
  return { ...createServing(kit, { rooms, http, jobs }), http }
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
