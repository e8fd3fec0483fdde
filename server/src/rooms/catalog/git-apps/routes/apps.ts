import * as shapes from '@signalbox/contracts/git-apps'
import { gitAppRoutes as stated } from '@signalbox/contracts/git-apps/routes'
import { type Answer, answer, etagOf, originOf, type Route, serve } from '#platform/http'
import { completeInstallation } from '../actions/complete-installation.ts'
import { completeRegistration } from '../actions/complete-registration.ts'
import { diagnoseApp } from '../actions/diagnose-app.ts'
import { type FoundApp, readApp } from '../actions/find-app.ts'
import { presentApp } from '../actions/present-app.ts'
import { showForm } from '../actions/show-form.ts'
import { showRegistration } from '../actions/show-registration.ts'
import { startInstallation } from '../actions/start-installation.ts'
import { startRegistration } from '../actions/start-registration.ts'
import { removeApp, replaceApp } from '../actions/write-app.ts'
import type { Means } from '../means.ts'

const NO_STORE = { 'cache-control': 'no-store' }

export function appRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async getGitApp({ params, caller }) {
      const found = await readApp(means, caller, params.provider)
      return found ? showApp(found) : answer(200, {})
    },
    async replaceGitApp(request) {
      return showApp(await replaceApp(means, originOf(request), { ...request.params, body: request.body }))
    },
    async deleteGitApp(request) {
      await removeApp(means, originOf(request), request.params.provider)
      return answer(204)
    },
    async diagnoseGitApp({ params, caller, signal }) {
      return answer(200, await diagnoseApp(means, caller, { ...params, signal }))
    },
    async startRegistration(request) {
      const asked = { ...request.params, body: request.body }
      return answer(200, await startRegistration(means, originOf(request), asked), NO_STORE)
    },
    async showRegistrationForm({ params, query }) {
      const { html, policy } = await showForm(means, { ...params, ...query })
      return answer(200, html, {
        ...NO_STORE,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        // Providers may look at where a form comes from. The state, which stands in the address, is not told.
        'referrer-policy': 'origin',
      })
    },
    async completeRegistration(request) {
      const back = { ...request.params, query: queryOf(request.url), browser: request }
      return redirect(await completeRegistration(means, back))
    },
    async getRegistration({ params, caller }) {
      return answer(200, await showRegistration(means, caller, params.provider))
    },
    async startInstallation(request) {
      const asked = { ...request.params, signal: request.signal }
      return answer(200, await startInstallation(means, originOf(request), asked), NO_STORE)
    },
    async completeInstallation(request) {
      const back = { ...request.params, query: queryOf(request.url), browser: request }
      return redirect(await completeInstallation(means, back))
    },
  })
}

function showApp(found: FoundApp): Answer<200, shapes.GitApp> {
  return answer(200, presentApp(found), { etag: etagOf(found.row.updatedAt) })
}

/** As it came: a parameter that a provider sends twice, or not at all, leads to the page, too. */
function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.split(/\?(.*)/s)[1] ?? '')
}

function redirect(location: string): Answer<302, never> {
  return { ...answer(302), headers: { ...NO_STORE, location, 'referrer-policy': 'no-referrer' } }
}
