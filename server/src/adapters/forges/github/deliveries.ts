import { callForge, encodeSegments, type ForgeReply, nextByLink, undocumented } from '../api-client.ts'
import type { ForgeDeliveries, LoggedDelivery, LoggedPage } from '../deliveries-port.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { id, moment, name } from '../payload-fields.ts'
import type { ForgeAnswer, ForgeConnection } from '../port.ts'
import { withoutValue } from '../repository-hooks.ts'
import { apiUrl, callOf } from './api.ts'
import { callAsApp } from './app/call-as-app.ts'

/** The cursor and the ids are GitHub's own; they go into a path only in this form. */
const CURSOR = /^[\w.:=+-]{1,500}$/
const NUMBER = /^\d{1,20}$/

/** GitHub keeps deliveries for three days, and sends none again that is older. */
export const deliveries: ForgeDeliveries = {
  ofApp: {
    async list(connection, cursor) {
      const path = pathOf('/app/hook/deliveries', cursor)
      if (path === undefined) return { outcome: 'not_found' }
      const answer = await callAsApp(connection, { path })
      return answer.outcome === 'found' ? readPage(answer.value, connection) : answer
    },

    async sendAgain(connection, attemptId) {
      if (!NUMBER.test(attemptId)) return { outcome: 'not_found' }
      const path = `/app/hook/deliveries/${attemptId}/attempts`
      return withoutValue(await callAsApp(connection, { method: 'POST', path, quotes: true }))
    },
  },

  ofHook: {
    async list(connection, { repository, hookId }, cursor) {
      const path = pathOf(`/repos/${encodeSegments(repository)}/hooks/${encodeURIComponent(hookId)}/deliveries`, cursor)
      if (path === undefined) return { outcome: 'not_found' }
      const answer = await callForge(connection, { ...callOf(connection), path, followsRename: true })
      return answer.outcome === 'found' ? readPage(answer.value, connection) : answer
    },

    async sendAgain(connection, { repository, hookId }, attemptId) {
      if (!NUMBER.test(attemptId)) return { outcome: 'not_found' }
      const hook = `/repos/${encodeSegments(repository)}/hooks/${encodeURIComponent(hookId)}`
      const path = `${hook}/deliveries/${attemptId}/attempts`
      return withoutValue(await callForge(connection, { ...callOf(connection), method: 'POST', path, quotes: true }))
    },
  },
}

function pathOf(log: string, cursor: string | null): string | undefined {
  if (cursor === null) return `${log}?per_page=100`
  return CURSOR.test(cursor) ? `${log}?per_page=100&cursor=${encodeURIComponent(cursor)}` : undefined
}

function readPage(reply: ForgeReply, connection: Pick<ForgeConnection, 'baseUrl'>): ForgeAnswer<LoggedPage> {
  if (!Array.isArray(reply.body)) return undocumented()
  const listed = reply.body.filter(isObject).flatMap((item) => describeDelivery(item) ?? [])
  return { outcome: 'found', value: { deliveries: listed, next: readCursor(reply, connection) } }
}

/** Of the link to the next page only the cursor counts: the path is the caller's own. */
function readCursor(reply: ForgeReply, connection: Pick<ForgeConnection, 'baseUrl'>): string | null {
  const next = nextByLink(reply, apiUrl(connection))
  const cursor = next === undefined ? null : new URL(next, 'https://path.invalid').searchParams.get('cursor')
  return cursor !== null && CURSOR.test(cursor) ? cursor : null
}

/** Undefined where the item is no delivery that could be sent again. */
function describeDelivery(item: JsonObject): LoggedDelivery | undefined {
  const [attemptId, deliveryId, eventType] = [id(item, 'id'), name(item, 'guid'), name(item, 'event')]
  if (attemptId === null || deliveryId === null || eventType === null) return undefined
  const { status_code: status } = item
  return {
    attemptId,
    deliveryId,
    deliveredAt: moment(item, 'delivered_at'),
    eventType,
    action: name(item, 'action'),
    status: typeof status === 'number' && Number.isInteger(status) && status > 0 ? status : null,
    repositoryId: id(item, 'repository_id'),
  }
}
