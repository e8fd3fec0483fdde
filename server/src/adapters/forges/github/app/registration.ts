import { callForge, undocumented } from '../../api-client.ts'
import { failed } from '../../api-failures.ts'
import type { ForgeApps, RegisteredApp } from '../../app-port.ts'
import { isObject } from '../../json-object.ts'
import { name } from '../../payload-fields.ts'
import type { ForgeAnswer } from '../../port.ts'
import { callOf } from '../api.ts'
import { describeApp } from './describe.ts'
import { readPrivateKey } from './private-key.ts'

/** A code of a manifest; whatever else came back with the browser is not sent to GitHub. */
const CODE = /^[\w-]{1,200}$/

/** The way of a manifest: a browser posts it, GitHub makes the app and sends the browser back with a code. */
export const registration: NonNullable<ForgeApps['registration']> = {
  formUrl(baseUrl, organization, state) {
    const owner = organization === '' ? '' : `/organizations/${encodeURIComponent(organization)}`
    return `${baseUrl}${owner}/settings/apps/new?state=${encodeURIComponent(state)}`
  },

  /** `html_url` of the app: GitHub.com has its apps below /apps, an Enterprise Server below /github-apps. */
  installUrl(htmlUrl, state) {
    return `${htmlUrl}/installations/new?state=${encodeURIComponent(state)}`
  },

  async exchange({ baseUrl, signal }, code) {
    if (!CODE.test(code)) return { outcome: 'not_found' }
    const connection = { baseUrl, token: undefined, signal }
    const path = `/app-manifests/${code}/conversions`
    const call = { ...callOf(connection), method: 'POST', path, confidential: true, quotes: true } as const
    const answer = await callForge(connection, call)
    return answer.outcome === 'found' ? describeRegistered(answer.value.body, baseUrl) : answer
  },
}

function describeRegistered(body: unknown, baseUrl: string): ForgeAnswer<RegisteredApp> {
  const app = describeApp(body, baseUrl)
  if (app === undefined || !isObject(body)) return undocumented()
  const { pem } = body
  const read = typeof pem === 'string' ? readPrivateKey(pem) : undefined
  if (typeof pem !== 'string' || read === undefined) return undocumented()
  if (!read.ok)
    return failed(`GitHub gave a private key that cannot be used. ${read.fault}`, false, { cause: 'invalid' })
  const webhookSecret = name(body, 'webhook_secret')
  return { outcome: 'found', value: { ...app, clientId: name(body, 'client_id'), privateKey: pem, webhookSecret } }
}
