import {
  CreateGroup,
  Group,
  GroupMember,
  MemberParams,
  SubjectListQuery,
  SubjectParams,
} from '@signalbox/contracts/access'
import { Type } from 'typebox'
import { answer, defineRoute, linkNext, originOf, type Route } from '#platform/http'
import { toWireTime } from '#platform/time'
import type { AccessMeans } from '../actions/change-access.ts'
import {
  addMember,
  createGroup,
  deleteGroup,
  type GroupRow,
  getVisibleGroup,
  listGroups,
  listMembers,
  removeMember,
} from '../actions/write-group.ts'

const tag = 'groups'

export function groupRoutes(means: AccessMeans): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/groups',
      summary: 'Create a group',
      tag,
      class: 'authorized',
      permission: 'user.write',
      schema: { body: CreateGroup },
      responses: { 201: Group },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const group = await createGroup(means, originOf(request), request.body.name)
        return answer(201, presentGroup(group), { location: `/v1/groups/${group.id}` })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/groups',
      summary: 'List groups, newest first',
      tag,
      class: 'authorized',
      permission: 'user.read',
      schema: { query: SubjectListQuery },
      responses: { 200: Type.Array(Group) },
      handle: async (request) => {
        const page = await listGroups(means, request.caller, request.query)
        return answer(200, page.items.map(presentGroup), linkNext(request.url, page))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/groups/:id',
      summary: 'One group',
      tag,
      class: 'authorized',
      permission: 'user.read',
      schema: { params: SubjectParams },
      responses: { 200: Group },
      handle: async (request) =>
        answer(200, presentGroup(await getVisibleGroup(means, request.caller, request.params.id))),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/groups/:id',
      summary: 'Delete a group with its grants',
      tag,
      class: 'authorized',
      permission: 'user.write',
      schema: { params: SubjectParams },
      responses: { 204: 'empty' },
      problems: [{ status: 409 }],
      handle: async (request) => {
        await deleteGroup(means, originOf(request), request.params.id)
        return answer(204)
      },
    }),
    ...memberRoutes(means),
  ]
}

function memberRoutes(means: AccessMeans): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/groups/:id/members',
      summary: 'The members of a group, by login',
      tag,
      class: 'authorized',
      permission: 'user.read',
      schema: { params: SubjectParams },
      responses: { 200: Type.Array(GroupMember) },
      handle: async (request) => {
        const members = await listMembers(means, request.caller, request.params.id)
        return answer(
          200,
          members.map(({ userId, login }): GroupMember => ({ user_id: userId, login })),
        )
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/v1/groups/:id/members/:user_id',
      summary: 'Make a user a member; does nothing where they are one',
      tag,
      class: 'authorized',
      permission: 'user.write',
      schema: { params: MemberParams },
      responses: { 204: 'empty' },
      handle: async (request) => {
        await addMember(means, originOf(request), request.params.id, request.params.user_id)
        return answer(204)
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/groups/:id/members/:user_id',
      summary: 'Take a user out of a group',
      tag,
      class: 'authorized',
      permission: 'user.write',
      schema: { params: MemberParams },
      responses: { 204: 'empty' },
      problems: [{ status: 409 }],
      handle: async (request) => {
        await removeMember(means, originOf(request), request.params.id, request.params.user_id)
        return answer(204)
      },
    }),
  ]
}

function presentGroup(row: GroupRow): Group {
  return { id: row.id, name: row.name, created_at: toWireTime(row.createdAt) }
}
