import { Profile, ProfileInput, ProfileParams, ProfileQuery, ProfileReplacement } from '@signalbox/contracts/profiles'
import { Type } from 'typebox'
import { answer, defineRoute, etagOf, linkNext, originOf, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import { toWireTime } from '#platform/time'
import type { Audit } from '#rooms/foundation/audit'
import { createProfile } from './actions/create-profile.ts'
import { deleteProfile } from './actions/delete-profile.ts'
import { getVisibleProfile } from './actions/find-profile.ts'
import { listProfiles } from './actions/list-profiles.ts'
import { replaceProfile } from './actions/replace-profile.ts'
import type { ProfileContent, Resources } from './rules.ts'
import type { ProfileRow } from './store.ts'

const common = { tag: 'profiles', class: 'authorized' } as const

export function profileRoutes(kit: Kit, needs: { readonly audit: Audit }): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'POST',
      path: '/v1/profiles',
      summary: 'Create a profile',
      permission: 'profile.write',
      schema: { body: ProfileInput },
      responses: { 201: Profile },
      problems: [409],
      handle: async (request) => {
        const { body } = request
        const input = { ...read(body), teamPath: body.team_path, name: body.name }
        const row = await createProfile(kit, needs, originOf(request), input)
        return answer(201, present(row), { location: `/v1/profiles/${row.id}`, etag: etagOf(row.updatedAt) })
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/profiles',
      summary: 'List profiles, newest first',
      permission: 'profile.read',
      schema: { query: ProfileQuery },
      responses: { 200: Type.Array(Profile) },
      handle: async (request) => {
        const page = await listProfiles(kit, request.caller, request.query)
        return answer(200, page.items.map(present), linkNext(request.url, page))
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/profiles/:id',
      summary: 'Show a profile',
      permission: 'profile.read',
      schema: { params: ProfileParams },
      responses: { 200: Profile },
      handle: async (request) => {
        const row = await getVisibleProfile(kit.database.kysely, request.caller, request.params.id)
        return answer(200, present(row), { etag: etagOf(row.updatedAt) })
      },
    }),
    defineRoute({
      ...common,
      method: 'PUT',
      path: '/v1/profiles/:id',
      summary: 'Replace the content of a profile',
      permission: 'profile.write',
      schema: { params: ProfileParams, body: ProfileReplacement },
      responses: { 200: Profile },
      problems: [409],
      handle: async (request) => {
        const { body } = request
        const row = await replaceProfile(kit, needs, originOf(request), {
          ...read(body),
          idOrIdentifier: request.params.id,
          ifMatch: request.headers['if-match'],
          teamPath: body.team_path,
          name: body.name,
        })
        return answer(200, present(row), { etag: etagOf(row.updatedAt) })
      },
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: '/v1/profiles/:id',
      summary: 'Delete a profile that no pipeline names',
      permission: 'profile.write',
      schema: { params: ProfileParams },
      responses: { 204: 'empty' },
      problems: [409],
      handle: async (request) => {
        const input = { idOrIdentifier: request.params.id, ifMatch: request.headers['if-match'] }
        await deleteProfile(kit, needs, originOf(request), input)
        return answer(204)
      },
    }),
  ]
}

function read(body: ProfileReplacement): ProfileContent {
  return {
    executor: body.executor,
    image: body.image ?? null,
    labels: body.labels ?? [],
    environment: body.environment ?? {},
    resources: readResources(body.resources),
  }
}

function readResources(wire: Profile['resources'] | undefined): Resources {
  return {
    ...(wire?.cpus === undefined ? {} : { cpus: wire.cpus }),
    ...(wire?.memory_mb === undefined ? {} : { memoryMb: wire.memory_mb }),
  }
}

function presentResources(resources: Resources): Profile['resources'] {
  return {
    ...(resources.cpus === undefined ? {} : { cpus: resources.cpus }),
    ...(resources.memoryMb === undefined ? {} : { memory_mb: resources.memoryMb }),
  }
}

function present(row: ProfileRow): Profile {
  return {
    id: row.id,
    team_path: row.teamPath,
    name: row.name,
    identifier: `${row.teamPath}/${row.name}`,
    executor: row.executor,
    image: row.image,
    labels: [...row.labels],
    environment: row.environment,
    resources: presentResources(row.resources),
    created_at: toWireTime(row.createdAt),
    updated_at: toWireTime(row.updatedAt),
  }
}
