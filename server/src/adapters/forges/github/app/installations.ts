import { nextByLink, undocumented, walkPages } from '../../api-client.ts'
import { failed } from '../../api-failures.ts'
import type { AppConnection, ForgeApps, FoundInstallation, InstallationToken, TokenWish } from '../../app-port.ts'
import { isObject, type JsonObject } from '../../json-object.ts'
import { children, id, moment, name, webUrl } from '../../payload-fields.ts'
import type { ForgeAnswer } from '../../port.ts'
import { apiUrl } from '../api.ts'
import { callAsApp, skewOf } from './call-as-app.ts'
import { describeApp, describeInstallation } from './describe.ts'

/** 100 installations each: GitHub has apps with more, but none that is one team's own. */
const MOST_PAGES = 500
const NUMBER = /^[1-9]\d{0,19}$/

type Installations = Pick<
  ForgeApps,
  'find' | 'findWebhookUrl' | 'findInstallation' | 'listInstallations' | 'createToken'
>

export const installations: Installations = {
  async find(connection) {
    const answer = await callAsApp(connection, { path: '/app' })
    if (answer.outcome !== 'found') return answer
    const app = describeApp(answer.value.body, connection.baseUrl)
    if (app === undefined) return undocumented()
    return { outcome: 'found', value: { ...app, skewMs: skewOf(answer.value, connection) } }
  },

  async findWebhookUrl(connection) {
    const answer = await callAsApp(connection, { path: '/app/hook/config' })
    if (answer.outcome !== 'found') return answer
    const { body } = answer.value
    return isObject(body) ? { outcome: 'found', value: webUrl(body, 'url') } : undocumented()
  },

  async findInstallation(connection, installationId) {
    if (!NUMBER.test(installationId)) return { outcome: 'not_found' }
    const answer = await callAsApp(connection, { path: `/app/installations/${installationId}` })
    if (answer.outcome !== 'found') return answer
    const value = describeInstallation(answer.value.body, connection.baseUrl)
    if (value === undefined || value.installationId !== installationId) return undocumented()
    return isOfApp(answer.value.body, connection) ? { outcome: 'found', value } : { outcome: 'not_found' }
  },

  listInstallations(connection) {
    return walkPages<FoundInstallation>({
      first: '/app/installations?per_page=100',
      ask: (path) => callAsApp(connection, { path }),
      read: ({ body }) =>
        Array.isArray(body) ? body.flatMap((item) => describeInstallation(item, connection.baseUrl) ?? []) : undefined,
      next: (reply) => nextByLink(reply, apiUrl(connection)),
      most: { pages: MOST_PAGES, beyond: 'fails' },
    })
  },

  async createToken(connection, wish) {
    if (!NUMBER.test(wish.installationId)) return { outcome: 'not_found' }
    const path = `/app/installations/${wish.installationId}/access_tokens`
    const body = describeWish(wish)
    const answer = await callAsApp(connection, { method: 'POST', path, body, quotes: true, confidential: true })
    return answer.outcome === 'found' ? readToken(answer.value.body, wish) : answer
  },
}

/** GitHub answers only of the app that asks. An app known by its client id cannot be compared. */
function isOfApp(body: unknown, { app }: AppConnection): boolean {
  const appId = isObject(body) ? id(body, 'app_id') : null
  return appId === null || !NUMBER.test(app.appId) || appId === app.appId
}

/** GitHub takes names without their owner: all repositories of an installation have the same. */
function describeWish({ repository, grants }: TokenWish) {
  return {
    ...(repository === null ? {} : { repositories: [repository.slice(repository.lastIndexOf('/') + 1)] }),
    ...(Object.keys(grants).length === 0 ? {} : { permissions: grants }),
  }
}

/** Length and form of a token are GitHub's own matter, as long as a header can carry it. */
const TOKEN = /^[\x21-\x7e]{1,10000}$/

function readToken(body: unknown, { repository }: TokenWish): ForgeAnswer<InstallationToken> {
  if (!isObject(body)) return undocumented()
  const { token } = body
  const expiresAt = moment(body, 'expires_at')
  if (typeof token !== 'string' || !TOKEN.test(token) || expiresAt === null) return undocumented()
  if (repository !== null && !isNarrowed(body, repository)) {
    return failed('GitHub narrowed the token to another repository, which may have been renamed.', false, {
      cause: 'invalid',
    })
  }
  return { outcome: 'found', value: { token, expiresAt } }
}

/** Two accounts may have a repository of the same name: the token must be for exactly the wanted one. */
function isNarrowed(body: JsonObject, repository: string): boolean {
  if (!Array.isArray(body['repositories'])) return name(body, 'repository_selection') === 'selected'
  const names = children(body, 'repositories').map((item) => name(item, 'full_name')?.toLowerCase())
  return names.length === 1 && names[0] === repository.toLowerCase()
}
