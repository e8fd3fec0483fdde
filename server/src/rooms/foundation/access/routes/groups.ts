import * as shapes from '@signalbox/contracts/access'
import { groupRoutes as stated } from '@signalbox/contracts/access/routes'
import { answer, linkNext, originOf, type Route, serve, toWire } from '#platform/http'
import {
  addMember,
  createGroup,
  deleteGroup,
  getVisibleGroup,
  listGroups,
  listMembers,
  removeMember,
} from '../actions/write-group.ts'
import type { Means } from '../means.ts'

export function groupRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async createGroup(request) {
      const group = await createGroup(means, originOf(request), request.body.name)
      return answer(201, toWire(group), { location: `/v1/groups/${group.id}` })
    },
    async listGroups(request) {
      const page = await listGroups(means, request.caller, request.query)
      return answer(200, page.items.map(toWire), linkNext(request.url, page))
    },
    async getGroup(request) {
      return answer(200, toWire(await getVisibleGroup(means, request.caller, request.params.id)))
    },
    async deleteGroup(request) {
      await deleteGroup(means, originOf(request), request.params.id)
      return answer(204)
    },
    async listGroupMembers(request) {
      const members = await listMembers(means, request.caller, request.params.id)
      return answer(200, members.map(toWire))
    },
    async addGroupMember(request) {
      await addMember(means, originOf(request), readMembership(request.params))
      return answer(204)
    },
    async removeGroupMember(request) {
      await removeMember(means, originOf(request), readMembership(request.params))
      return answer(204)
    },
  })
}

function readMembership(params: shapes.MemberParams) {
  return { groupId: params.id, userId: params.user_id }
}
