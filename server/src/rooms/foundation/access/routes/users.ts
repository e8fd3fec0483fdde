import * as shapes from '@signalbox/contracts/access'
import { userRoutes as stated } from '@signalbox/contracts/access/routes'
import { answer, etagOf, linkNext, originOf, type Route, serve } from '#platform/http'
import { getVisibleUser, listUsers, presentUser } from '../actions/read-users.ts'
import { createUser, deleteUser, updateUser } from '../actions/write-user.ts'
import type { Means } from '../means.ts'

export function userRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async createUser(request) {
      const { login, name, email = null, password, disabled = false } = request.body
      const user = await createUser(means, originOf(request), { login, name, email, password, disabled })
      return answer(201, presentUser(user), { location: `/v1/users/${user.id}`, etag: etagOf(user.updatedAt) })
    },
    async listUsers(request) {
      const page = await listUsers(means, request.caller, request.query)
      return answer(200, page.items.map(presentUser), linkNext(request.url, page))
    },
    async getUser(request) {
      const user = await getVisibleUser(means, request.caller, request.params.id)
      return answer(200, presentUser(user), { etag: etagOf(user.updatedAt) })
    },
    async updateUser(request) {
      const { name, email, password, current_password: currentPassword, disabled } = request.body
      const change = { id: request.params.id, name, email, password, currentPassword, disabled }
      const user = await updateUser(means, originOf(request), change)
      return answer(200, presentUser(user), { etag: etagOf(user.updatedAt) })
    },
    async deleteUser(request) {
      await deleteUser(means, originOf(request), request.params.id)
      return answer(204)
    },
  })
}
