import * as shapes from '@signalbox/contracts/profiles'
import { profileRoutes as stated } from '@signalbox/contracts/profiles/routes'
import { answer, etagOf, linkNext, originOf, type Route, serve, toWire } from '#platform/http'
import { createProfile } from './actions/create-profile.ts'
import { deleteProfile } from './actions/delete-profile.ts'
import { getVisibleProfile, listProfiles } from './actions/find-profile.ts'
import { replaceProfile } from './actions/replace-profile.ts'
import type { Means } from './means.ts'
import type { ProfileContent } from './rules.ts'
import type { ProfileRow } from './store.ts'

export function profileRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async createProfile(request) {
      const { body } = request
      const row = await createProfile(means, originOf(request), {
        ...read(body),
        teamPath: body.team_path,
        name: body.name,
      })
      return answer(201, present(row), { location: `/v1/profiles/${row.id}`, etag: etagOf(row.updatedAt) })
    },
    async listProfiles(request) {
      const found = await listProfiles(means, request.caller, request.query)
      return answer(200, found.items.map(present), linkNext(request.url, found))
    },
    async getProfile(request) {
      const row = await getVisibleProfile(means, request.caller, request.params.id)
      return answer(200, present(row), { etag: etagOf(row.updatedAt) })
    },
    async replaceProfile(request) {
      const { body, params } = request
      const change = { ...read(body), idOrIdentifier: params.id, teamPath: body.team_path, name: body.name }
      const row = await replaceProfile(means, originOf(request), change)
      return answer(200, present(row), { etag: etagOf(row.updatedAt) })
    },
    async deleteProfile(request) {
      await deleteProfile(means, originOf(request), request.params.id)
      return answer(204)
    },
  })
}

function read(body: shapes.ProfileReplacement): ProfileContent {
  const { executor, image = null, labels = [], environment = {}, resources = {} } = body
  return { executor, image, labels, environment, resources }
}

function present(row: ProfileRow): shapes.Profile {
  return { ...toWire(row), identifier: `${row.teamPath}/${row.name}` }
}
