import { callForge, type ForgeReply, undocumented } from '../api-client.ts'
import { readHttpDate } from '../api-failures.ts'
import type { ForgeDeliveries, LoggedDelivery, LoggedPage } from '../deliveries-port.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, id, name } from '../payload-fields.ts'
import type { ForgeAnswer } from '../port.ts'
import { withoutValue } from '../repository-hooks.ts'
import { callOf, projectPath } from './api.ts'
import { deliveryId } from './headers.ts'
import { kindOf } from './read.ts'

/** GitLab's own default. Each item has the whole payload, so that more would not fit into an answer. */
const PAGE = 20
const NUMBER = /^[1-9]\d{0,18}$/

/** The log of a project's webhook, seven days long, since GitLab 17.3; sending again since 17.4, five a minute. */
export const deliveries: ForgeDeliveries = {
  ofApp: null,
  ofHook: {
    async list(connection, hook, cursor) {
      if (cursor !== null && !NUMBER.test(cursor)) return { outcome: 'not_found' }
      const path = `${logOf(hook)}?per_page=${PAGE}&page=${cursor ?? 1}`
      const answer = await callForge(connection, { ...callOf(connection), path })
      return answer.outcome === 'found' ? readPage(answer.value) : answer
    },

    async sendAgain(connection, hook, attemptId) {
      if (!NUMBER.test(attemptId)) return { outcome: 'not_found' }
      const path = `${logOf(hook)}/${attemptId}/resend`
      return withoutValue(await callForge(connection, { ...callOf(connection), method: 'POST', path, quotes: true }))
    },
  },
}

function logOf({ repository, hookId }: { readonly repository: string; readonly hookId: string }): string {
  return `${projectPath(repository)}/hooks/${encodeURIComponent(hookId)}/events`
}

function readPage({ body, headers }: ForgeReply): ForgeAnswer<LoggedPage> {
  if (!Array.isArray(body)) return undocumented()
  const next = headers.get('x-next-page') ?? ''
  const listed = body.filter(isObject).flatMap((item) => describeEvent(item) ?? [])
  return { outcome: 'found', value: { deliveries: listed, next: NUMBER.test(next) ? next : null } }
}

/** Undefined where the item is no delivery that could be recognised. */
function describeEvent(item: JsonObject): LoggedDelivery | undefined {
  const sent = headersOf(child(item, 'request_headers'))
  const payload = child(item, 'request_data')
  const [attemptId, carried, eventType] = [id(item, 'id'), deliveryId(sent), kindOf(payload)]
  if (attemptId === null || carried === null || eventType === null) return undefined
  return {
    attemptId,
    deliveryId: carried,
    deliveredAt: answeredAt(child(item, 'response_headers')),
    eventType,
    action: name(child(payload, 'object_attributes'), 'action') ?? name(payload, 'action'),
    status: statusOf(item),
    repositoryId: id(child(payload, 'project'), 'id') ?? id(payload, 'project_id'),
  }
}

/** `internal error` in place of a status: no answer came. */
function statusOf(item: JsonObject): number | null {
  const status = /^[1-5]\d{2}$/.exec(String(item['response_status'] ?? ''))?.[0]
  return status === undefined ? null : Number(status)
}

function headersOf(headers: JsonObject): Readonly<Record<string, string>> {
  const text = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(text.map(([key, value]) => [key.toLowerCase(), value]))
}

/** The log names no time; our own answer had one. */
function answeredAt(headers: JsonObject): string | null {
  const answered = readHttpDate(headersOf(headers)['date'] ?? null)
  return answered === undefined ? null : new Date(answered).toISOString()
}
