import * as shapes from '@signalbox/contracts/sessions'
import { sessionRoutes as stated } from '@signalbox/contracts/sessions/routes'
import { answer, linkNext, originOf, type Route, serve } from '#platform/http'
import { revokeOwnSessions, revokeSession, revokeUserSessions, signOut } from './actions/end-sessions.ts'
import { listOwnSessions, listUserSessions, presentSession } from './actions/read-sessions.ts'
import { signIn } from './actions/sign-in.ts'
import type { Means } from './means.ts'
import { endedCookie } from './rules.ts'

const NO_STORE = { 'cache-control': 'no-store' }

export function sessionRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async getSignIn() {
      // Also where a configured bootstrap token unlocks the API: nobody could sign in to the page.
      const { administratorExists } = await means.access.snapshot()
      const { passwordSignIn: password, signInProviders } = means.config
      const providers = signInProviders.map(({ id, name }) => ({ id, name }))
      return answer(200, { setup_needed: !administratorExists, password, providers }, NO_STORE)
    },
    async signIn(request) {
      const { session, caller, setCookie } = await signIn(means, request.body, request)
      const headers = { ...NO_STORE, 'set-cookie': setCookie, location: `/v1/sessions/${session.id}` }
      return answer(201, presentSession(means, caller, session), headers)
    },
    async listSessions(request) {
      const page = await listOwnSessions(means, request.caller, request.query)
      const items = page.items.map((row) => presentSession(means, request.caller, row))
      return answer(200, items, linkNext(request.url, page))
    },
    async signOut(request) {
      await signOut(means, originOf(request))
      return answer(204, undefined, { 'set-cookie': endedCookie(means.browsers) })
    },
    async revokeSession(request) {
      await revokeSession(means, originOf(request), request.params.id)
      return answer(204)
    },
    async revokeSessions(request) {
      await revokeOwnSessions(means, originOf(request))
      return answer(204)
    },
    async listUserSessions(request) {
      const { id } = request.params
      const page = await listUserSessions(means, request.caller, { id, query: request.query })
      const items = page.items.map((row) => presentSession(means, request.caller, row))
      return answer(200, items, linkNext(request.url, page))
    },
    async revokeUserSessions(request) {
      await revokeUserSessions(means, originOf(request), request.params.id)
      return answer(204)
    },
  })
}
