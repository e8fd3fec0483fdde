import { CreateAdministrator, NewAdministrator, Preflight } from '@signalbox/contracts/setup'
import { answer, defineRoute, originOf, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import { toWireTime } from '#platform/time'
import type { CreatedAdministrator } from '#rooms/foundation/access'
import { BOOTSTRAP_VALID, checkPreflight } from './actions/check-preflight.ts'
import { createAdministrator } from './actions/create-administrator.ts'
import type { SetupNeeds } from './index.ts'

const tag = 'setup'

export function setupRoutes(kit: Kit, needs: SetupNeeds): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/setup/preflight',
      summary: 'Whether the installation is ready, and what is in the way; answers with the database down',
      tag,
      class: 'public',
      responses: { 200: Preflight },
      handle: async () => {
        const blockers = await checkPreflight(kit, needs)
        const body: Preflight = { ready: blockers.length === 0, blockers: blockers.map((blocker) => ({ ...blocker })) }
        return answer(200, body, { 'cache-control': 'no-store' })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/setup/administrator',
      summary: 'Make the first administrator, by the bootstrap token',
      tag,
      class: 'authorized',
      permission: 'user.write',
      whileLocked: true,
      schema: { body: CreateAdministrator },
      responses: { 201: NewAdministrator },
      problems: [{ status: 409 }, { status: 429 }],
      handle: async (request) => {
        const { login, name, email = null, password, token_name: tokenName } = request.body
        const created = await createAdministrator(needs, originOf(request), { login, name, email, password, tokenName })
        return answer(201, present(created), {
          location: `/v1/users/${created.user.id}`,
          'cache-control': 'no-store',
        })
      },
    }),
  ]
}

function present({ user, token }: CreatedAdministrator): NewAdministrator {
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
    // It has just been used: it is valid.
    advice: [{ ...BOOTSTRAP_VALID }],
  }
}
