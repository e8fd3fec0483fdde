import type { FoundApp, FoundInstallation } from '../../app-port.ts'
import { isObject, type JsonObject } from '../../json-object.ts'
import { child, id, moment, name, webUrl } from '../../payload-fields.ts'

/** Readers of apps and installations as GitHub describes them. */

const PERMISSION = /^[a-z_]{1,60}$/
const EVENT = /^[a-z_]{1,60}$/

/** Undefined where the answer is about no app. */
export function describeApp(body: unknown, baseUrl: string): Omit<FoundApp, 'skewMs'> | undefined {
  if (!isObject(body)) return undefined
  const appId = id(body, 'id')
  if (appId === null) return undefined
  return {
    appId,
    slug: name(body, 'slug'),
    name: name(body, 'name'),
    htmlUrl: pageOf(body, baseUrl),
    account: accountOf(child(body, 'owner')),
    permissions: readPermissions(child(body, 'permissions')),
    events: readEvents(body),
  }
}

/** Undefined where the answer is about no installation. */
export function describeInstallation(body: unknown, baseUrl: string): FoundInstallation | undefined {
  if (!isObject(body)) return undefined
  const installationId = id(body, 'id')
  if (installationId === null) return undefined
  const selection = name(body, 'repository_selection')
  return {
    installationId,
    account: accountOf(child(body, 'account')),
    selection: selection === 'all' || selection === 'selected' ? selection : null,
    permissions: readPermissions(child(body, 'permissions')),
    suspendedAt: moment(body, 'suspended_at'),
    htmlUrl: pageOf(body, baseUrl),
  }
}

/** An enterprise has a slug in place of a login. */
function accountOf(account: JsonObject): string | null {
  return name(account, 'login') ?? name(account, 'slug')
}

function readPermissions(permissions: JsonObject): Readonly<Record<string, string>> {
  const given = Object.entries(permissions).flatMap(([key, access]) =>
    PERMISSION.test(key) && (access === 'read' || access === 'write' || access === 'admin') ? [[key, access]] : [],
  )
  return Object.fromEntries(given)
}

function readEvents({ events }: JsonObject): readonly string[] {
  return Array.isArray(events) ? events.filter((event) => typeof event === 'string' && EVENT.test(event)) : []
}

/** A page at the provider itself: people are sent there, so that an address of somebody else is none. */
function pageOf(body: JsonObject, baseUrl: string): string | null {
  const url = webUrl(body, 'html_url')
  return url !== null && URL.canParse(baseUrl) && new URL(url).origin === new URL(baseUrl).origin ? url : null
}
