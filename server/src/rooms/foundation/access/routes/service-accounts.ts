import * as shapes from '@signalbox/contracts/access'
import { serviceAccountRoutes as stated } from '@signalbox/contracts/access/routes'
import { answer, linkNext, originOf, type Route, serve, toWire } from '#platform/http'
import {
  createServiceAccount,
  deleteServiceAccount,
  getVisibleServiceAccount,
  listServiceAccounts,
  serviceAccountEtag,
  updateServiceAccount,
} from '../actions/write-service-account.ts'
import type { Means } from '../means.ts'
import type { ServiceAccountRow } from '../store/service-accounts.ts'

export function serviceAccountRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async createServiceAccount(request) {
      const { team_path: teamPath, name, disabled = false } = request.body
      const account = await createServiceAccount(means, originOf(request), { teamPath, name, disabled })
      return answer(201, present(account), {
        location: `/v1/service-accounts/${account.id}`,
        etag: serviceAccountEtag(account),
      })
    },
    async listServiceAccounts(request) {
      const page = await listServiceAccounts(means, request.caller, request.query)
      return answer(200, page.items.map(present), linkNext(request.url, page))
    },
    async getServiceAccount(request) {
      const account = await getVisibleServiceAccount(means, request.caller, request.params.id)
      return answer(200, present(account), { etag: serviceAccountEtag(account) })
    },
    async updateServiceAccount(request) {
      const change = { id: request.params.id, disabled: request.body.disabled }
      const account = await updateServiceAccount(means, originOf(request), change)
      return answer(200, present(account), { etag: serviceAccountEtag(account) })
    },
    async deleteServiceAccount(request) {
      await deleteServiceAccount(means, originOf(request), request.params.id)
      return answer(204)
    },
  })
}

function present({ disabledAt, ...account }: ServiceAccountRow): shapes.ServiceAccount {
  return { ...toWire(account), disabled: disabledAt !== null }
}
