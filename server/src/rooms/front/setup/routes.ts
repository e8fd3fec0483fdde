import * as shapes from '@signalbox/contracts/setup'
import { setupRoutes as stated } from '@signalbox/contracts/setup/routes'
import { answer, originOf, type Route, serve } from '#platform/http'
import { BOOTSTRAP_VALID, checkPreflight } from './actions/check-preflight.ts'
import { createAdministrator } from './actions/create-administrator.ts'
import type { Means } from './means.ts'

export function setupRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async getPreflight() {
      const blockers = await checkPreflight(means)
      const body = { ready: blockers.length === 0, blockers: [...blockers] }
      return answer(200, body, { 'cache-control': 'no-store' })
    },
    async createAdministrator(request) {
      const { login, name, email = null, password, token_name: tokenName } = request.body
      const input = { login, name, email, password, tokenName }
      const { user, token = null } = await createAdministrator(means, originOf(request), input)
      // The caller has just used the bootstrap token, so it is valid.
      const body = { user, token, advice: [BOOTSTRAP_VALID] }
      return answer(201, body, { location: `/v1/users/${user.id}`, 'cache-control': 'no-store' })
    },
  })
}
