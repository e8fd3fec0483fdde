import * as shapes from '@signalbox/contracts/setup'
import { setupRoutes as stated } from '@signalbox/contracts/setup/routes'
import { answer, originOf, type Route, serve } from '#platform/http'
import { toWireTime } from '#platform/time'
import type { CreatedAdministrator } from '#rooms/foundation/access'
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
      const created = await createAdministrator(means, originOf(request), input)
      return answer(201, present(created), {
        location: `/v1/users/${created.user.id}`,
        'cache-control': 'no-store',
      })
    },
  })
}

function present({ user, token }: CreatedAdministrator): shapes.NewAdministrator {
  return {
    user: {
      id: user.id,
      login: user.login,
      name: user.name,
      email: user.email,
      has_password: user.passwordHash !== null,
      disabled: user.disabledAt !== null,
      created_at: toWireTime(user.createdAt),
      updated_at: toWireTime(user.updatedAt),
    },
    token: token ?? null,
    // The caller has just used the bootstrap token, so it is valid.
    advice: [BOOTSTRAP_VALID],
  }
}
