import * as shapes from '@signalbox/contracts/identities'
import { signInRoutes as stated } from '@signalbox/contracts/identities/routes'
import { type Answer, answer, originOf, type Route, serve, toWire } from '#platform/http'
import { beginLink, beginSignIn } from './actions/begin-sign-in.ts'
import type { Redirect } from './actions/build-redirect.ts'
import { completeSignIn } from './actions/complete-sign-in.ts'
import { createIdentity, deleteIdentity, listIdentities } from './actions/write-identity.ts'
import type { Means } from './means.ts'
import type { IdentityRow } from './store.ts'

const NO_STORE = { 'cache-control': 'no-store' }

export function identityRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async startSignIn({ params, query, address }) {
      return redirect(await beginSignIn(means, { ...params, returnTo: query.return_to, address }))
    },
    async completeSignIn(request) {
      const [, query = ''] = request.url.split(/\?(.*)/s)
      return redirect(await completeSignIn(means, { ...request.params, query, client: request }))
    },
    async linkIdentity({ params, body, caller, address }) {
      const { location, setCookies } = await beginLink(means, caller, { ...params, returnTo: body.return_to, address })
      return { ...answer(200, { url: location }, NO_STORE), setCookies }
    },
    async listIdentities({ params, caller }) {
      const rows = await listIdentities(means, caller, params.id)
      return answer(
        200,
        rows.map((row) => present(means, row)),
      )
    },
    async createIdentity(request) {
      const { id } = request.params
      const row = await createIdentity(means, originOf(request), { ...request.body, userId: id })
      return answer(201, present(means, row), { location: `/v1/users/${id}/identities/${row.id}` })
    },
    async deleteIdentity(request) {
      const { id: userId, identity_id: id } = request.params
      await deleteIdentity(means, originOf(request), { userId, id })
      return answer(204)
    },
  })
}

function redirect({ location, setCookies }: Redirect): Answer<302, never> {
  return { ...answer(302), headers: { ...NO_STORE, location }, setCookies }
}

function present({ providers }: Means, row: IdentityRow): shapes.UserIdentity {
  const provider = [...providers.values()].find(({ issuer }) => issuer === row.issuer)
  return { ...toWire(row), provider: provider?.id ?? (row.issuer.startsWith('git:') ? row.issuer : null) }
}
