import { ChangeUser, CreateUser, SubjectListQuery, SubjectParams, User } from '@signalbox/contracts/access'
import { Type } from 'typebox'
import { answer, defineRoute, etagOf, linkNext, originOf, type Route } from '#platform/http'
import { toWireTime } from '#platform/time'
import type { AccessMeans } from '../actions/change-access.ts'
import { getVisibleUser, listUsers, type UserRow } from '../actions/read-users.ts'
import { changeUser, createUser, deleteUser } from '../actions/write-user.ts'

const tag = 'users'

export function userRoutes(means: AccessMeans): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/users',
      summary: 'Create a user',
      tag,
      class: 'authorized',
      permission: 'user.write',
      schema: { body: CreateUser },
      responses: { 201: User },
      problems: [{ status: 409 }, { status: 429 }],
      handle: async (request) => {
        const { login, name, email = null, password, disabled = false } = request.body
        const user = await createUser(means, originOf(request), { login, name, email, password, disabled })
        return answer(201, presentUser(user), { location: `/v1/users/${user.id}`, etag: etagOf(user.updatedAt) })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/users',
      summary: 'List users, newest first; without user.read only yourself',
      tag,
      class: 'authorized',
      permission: 'user.read',
      schema: { query: SubjectListQuery },
      responses: { 200: Type.Array(User) },
      handle: async (request) => {
        const page = await listUsers(means, request.caller, request.query)
        return answer(200, page.items.map(presentUser), linkNext(request.url, page))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/users/:id',
      summary: 'One user; yourself without any permission',
      tag,
      class: 'authorized',
      permission: 'user.read',
      schema: { params: SubjectParams },
      responses: { 200: User },
      handle: async (request) => {
        const user = await getVisibleUser(means, request.caller, request.params.id)
        return answer(200, presentUser(user), { etag: etagOf(user.updatedAt) })
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/v1/users/:id',
      summary: 'Change a user; your own name, email and password without any permission',
      tag,
      class: 'authorized',
      permission: 'user.write',
      schema: { params: SubjectParams, body: ChangeUser },
      responses: { 200: User },
      problems: [{ status: 409 }, { status: 429 }],
      handle: async (request) => {
        const { name, email, password, current_password: currentPassword, disabled } = request.body
        const change = { name, email, password, currentPassword, disabled, ifMatch: request.headers['if-match'] }
        const user = await changeUser(means, originOf(request), request.params.id, change)
        return answer(200, presentUser(user), { etag: etagOf(user.updatedAt) })
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/users/:id',
      summary: 'Delete a user with their tokens and grants',
      tag,
      class: 'authorized',
      permission: 'user.write',
      schema: { params: SubjectParams },
      responses: { 204: 'empty' },
      problems: [{ status: 409 }],
      handle: async (request) => {
        await deleteUser(means, originOf(request), request.params.id)
        return answer(204)
      },
    }),
  ]
}

function presentUser(row: UserRow): User {
  return {
    id: row.id,
    login: row.login,
    name: row.name,
    email: row.email,
    has_password: row.passwordHash !== null,
    disabled: row.disabledAt !== null,
    created_at: toWireTime(row.createdAt),
    updated_at: toWireTime(row.updatedAt),
  }
}
