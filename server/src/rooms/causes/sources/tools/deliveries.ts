import type { EventTrace } from '@signalbox/contracts/events'
import { STRICT, Uuid } from '@signalbox/contracts/http'
import { AllDeliveriesQuery } from '@signalbox/contracts/sources'
import { deliveryRoutes, pushExplanationRoutes } from '@signalbox/contracts/sources/routes'
import { Type } from 'typebox'
import { platformProblem } from '#platform/problems'
import { defineTool, ownText, type Told } from '#platform/tools'

const { result, since, cursor } = AllDeliveriesQuery.properties
const text = Type.Optional(Type.String({ minLength: 1, maxLength: 1000 }))
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 50 }))

export const listDeliveriesTool = defineTool({
  name: 'list_deliveries',
  title: 'List deliveries',
  family: 'git',
  does: 'read',
  description:
    'What Git providers delivered, newest first: the answer, the reason, the runs. Narrow it by repository, commit_sha, ref (with repository), result or source. explain_push says why one started nothing.',
  input: Type.Object(
    { repository: text, commit_sha: text, ref: text, result, source_id: Type.Optional(Uuid), since, limit, cursor },
    STRICT,
  ),
  routes: { listAllDeliveries: deliveryRoutes.listAllDeliveries },
  needs: ['webhook_source.read'],
  async handle({ input, routes }) {
    const { source_id: source, ...narrowed } = input
    const query = { limit: 10, ...narrowed, ...(source === undefined ? {} : { source: [source] }) }
    const { body, nextCursor } = await routes.listAllDeliveries({ query })
    const deliveries = body.map((each) => {
      const { duration_ms: _took, payload_bytes: _size, run_id: _first, missed_at: _missed, ...shown } = each
      return shown
    })
    const more = { tool: 'list_deliveries', arguments: { ...input, cursor: nextCursor }, brings: 'older deliveries' }
    return { facts: { deliveries }, next: nextCursor === undefined ? [] : [more] }
  },
})

export const getDeliveryTool = defineTool({
  name: 'get_delivery',
  title: 'Show a delivery',
  family: 'git',
  does: 'read',
  description:
    "A delivery with its trace: each rule that was considered, and each condition with what it expected and saw. payload: true adds what was sent. delivery_id: of the record, or the provider's own.",
  input: Type.Object(
    {
      delivery_id: Type.String({ minLength: 1, maxLength: 200 }),
      payload: Type.Optional(Type.Boolean()),
    },
    STRICT,
  ),
  routes: { explainPush: pushExplanationRoutes.explainPush, getDelivery: deliveryRoutes.getDelivery },
  needs: ['webhook_source.read'],
  async handle({ input, routes }) {
    const found = await routes.explainPush({ query: { delivery_id: input.delivery_id } })
    const place = found.body.changes.find((each) => each.delivery_id !== null && each.source_id !== null)
    if (!place?.delivery_id || !place.source_id) throw platformProblem('not_found', 'There is no such delivery.')
    const params = { sourceID: ownText(place.source_id), deliveryID: ownText(place.delivery_id) }
    const { body } = await routes.getDelivery({ params })
    const { headers, payload, events, trace, run_id: _first, ...delivery } = body
    const facts = { ...delivery, trace: { ...trace, events: trace.events.map(traceOf) } }
    if (input.payload === true) return { facts: { ...facts, events, headers, payload } }
    const more = { tool: 'get_delivery', arguments: { ...input, payload: true }, brings: 'the payload' }
    return { facts, next: payload === null ? [] : [more] }
  },
})

/** Conditions behind the first that failed were not looked at, and say nothing. */
function traceOf({ triggers, ...event }: Told<EventTrace>): unknown {
  const rules = triggers.map(({ conditions, matched: _matched, ...rule }) => {
    return { ...rule, conditions: conditions.filter(({ passed }) => passed !== null) }
  })
  return { ...event, rules }
}
