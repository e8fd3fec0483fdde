import {
  ChangeServiceAccount,
  CreateServiceAccount,
  ServiceAccount,
  SubjectListQuery,
  SubjectParams,
} from '@signalbox/contracts/access'
import { Type } from 'typebox'
import { type Answer, answer, defineRoute, linkNext, originOf, type Route } from '#platform/http'
import { toWireTime } from '#platform/time'
import type { AccessMeans } from '../actions/change-access.ts'
import {
  changeServiceAccount,
  createServiceAccount,
  deleteServiceAccount,
  getVisibleServiceAccount,
  listServiceAccounts,
  type ServiceAccountRow,
  serviceAccountEtag,
} from '../actions/write-service-account.ts'

const tag = 'service accounts'

export function serviceAccountRoutes(means: AccessMeans): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/service-accounts',
      summary: 'Create a service account of a team',
      tag,
      class: 'authorized',
      permission: 'service_account.write',
      schema: { body: CreateServiceAccount },
      responses: { 201: ServiceAccount },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const { team_path: teamPath, name, disabled = false } = request.body
        const account = await createServiceAccount(means, originOf(request), { teamPath, name, disabled })
        return whole(201, account, { location: `/v1/service-accounts/${account.id}` })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/service-accounts',
      summary: 'List service accounts, newest first',
      tag,
      class: 'authorized',
      permission: 'service_account.read',
      schema: { query: SubjectListQuery },
      responses: { 200: Type.Array(ServiceAccount) },
      handle: async (request) => {
        const page = await listServiceAccounts(means, request.caller, request.query)
        return answer(200, page.items.map(present), linkNext(request.url, page))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/service-accounts/:id',
      summary: 'One service account',
      tag,
      class: 'authorized',
      permission: 'service_account.read',
      schema: { params: SubjectParams },
      responses: { 200: ServiceAccount },
      handle: async (request) => whole(200, await getVisibleServiceAccount(means, request.caller, request.params.id)),
    }),
    defineRoute({
      method: 'PATCH',
      path: '/v1/service-accounts/:id',
      summary: 'Disable or enable a service account',
      tag,
      class: 'authorized',
      permission: 'service_account.write',
      schema: { params: SubjectParams, body: ChangeServiceAccount },
      responses: { 200: ServiceAccount },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const change = { disabled: request.body.disabled, ifMatch: request.headers['if-match'] }
        return whole(200, await changeServiceAccount(means, originOf(request), request.params.id, change))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/service-accounts/:id',
      summary: 'Delete a service account with its tokens and grants',
      tag,
      class: 'authorized',
      permission: 'service_account.write',
      schema: { params: SubjectParams },
      responses: { 204: 'empty' },
      problems: [{ status: 409 }],
      handle: async (request) => {
        await deleteServiceAccount(means, originOf(request), request.params.id)
        return answer(204)
      },
    }),
  ]
}

function whole(status: number, row: ServiceAccountRow, headers: Readonly<Record<string, string>> = {}): Answer {
  return answer(status, present(row), { ...headers, etag: serviceAccountEtag(row) })
}

function present(row: ServiceAccountRow): ServiceAccount {
  return {
    id: row.id,
    team_path: row.teamPath,
    name: row.name,
    disabled: row.disabledAt !== null,
    created_at: toWireTime(row.createdAt),
  }
}
