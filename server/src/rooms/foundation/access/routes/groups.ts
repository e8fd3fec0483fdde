import * as shapes from '@signalbox/contracts/access'
import { groupRoutes as stated } from '@signalbox/contracts/access/routes'
import { answer, linkNext, originOf, type Route, serve } from '#platform/http'
import { toWireTime } from '#platform/time'
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
import type { GroupRow } from '../store/groups.ts'

export function groupRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async createGroup(request) {
      const group = await createGroup(means, originOf(request), request.body.name)
      return answer(201, presentGroup(group), { location: `/v1/groups/${group.id}` })
    },
    async listGroups(request) {
      const page = await listGroups(means, request.caller, request.query)
      return answer(200, page.items.map(presentGroup), linkNext(request.url, page))
    },
    async getGroup(request) {
      return answer(200, presentGroup(await getVisibleGroup(means, request.caller, request.params.id)))
    },
    async deleteGroup(request) {
      await deleteGroup(means, originOf(request), request.params.id)
      return answer(204)
    },
    async listGroupMembers(request) {
      const members = await listMembers(means, request.caller, request.params.id)
      return answer(
        200,
        members.map(({ userId, login }): shapes.GroupMember => ({ user_id: userId, login })),
      )
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

function presentGroup(row: GroupRow): shapes.Group {
  return { id: row.id, name: row.name, created_at: toWireTime(row.createdAt) }
}

function readMembership(params: shapes.MemberParams) {
  return { groupId: params.id, userId: params.user_id }
}
