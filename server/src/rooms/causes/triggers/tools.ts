import { EVENT_KINDS } from '@signalbox/contracts/event'
import { STRICT } from '@signalbox/contracts/http'
import { resolutionRoutes } from '@signalbox/contracts/overrides/routes'
import { TriggerQuery } from '@signalbox/contracts/triggers'
import { triggerRoutes } from '@signalbox/contracts/triggers/routes'
import { Type } from 'typebox'
import { defineTool, type Tool } from '#platform/tools'

const { listTriggers } = triggerRoutes
const { resolveRepository } = resolutionRoutes
const { team_path, source_id, cursor } = TriggerQuery.properties

const listTool = defineTool({
  name: 'list_triggers',
  title: 'List triggers',
  family: 'triggers',
  does: 'read',
  description:
    'Triggers, newest first. With repository instead: what an event of it (default push) would start now, by layer, and which rules a higher layer outranks.',
  input: Type.Object(
    {
      repository: Type.Optional(Type.String({ pattern: '^[^/]+(/[^/]+)+$', maxLength: 1000 })),
      ref: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
      event: Type.Optional(Type.Enum([...EVENT_KINDS])),
      team_path,
      source_id,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
      cursor,
    },
    STRICT,
  ),
  routes: { listTriggers },
  optional: { resolveRepository },
  async handle({ input, routes, optional }) {
    const { repository, ref, event, ...narrowed } = input
    if (repository !== undefined && optional.resolveRepository) {
      const cut = repository.lastIndexOf('/')
      const params = { repoOwner: repository.slice(0, cut), repoName: repository.slice(cut + 1) }
      const query = { ...(ref === undefined ? {} : { ref }), ...(event === undefined ? {} : { event }) }
      const { body } = await optional.resolveRepository({ params, query })
      const push = { tool: 'explain_push', arguments: { repository }, brings: 'what was told of it last' }
      return { facts: body, next: [push] }
    }
    const { body, nextCursor } = await routes.listTriggers({ query: { limit: 10, ...narrowed } })
    const more = { tool: 'list_triggers', arguments: { ...narrowed, cursor: nextCursor }, brings: 'older triggers' }
    return {
      facts: { triggers: body.map(shortOf) },
      next: nextCursor === undefined ? [] : [more],
      leftOut: repository === undefined ? [] : ['override.read'],
    }
  },
})

/** Conditions that ask for nothing are left out. */
function shortOf(trigger: object): unknown {
  const isTold = ([name, value]: readonly [string, unknown]): boolean =>
    !(Array.isArray(value) && value.length === 0) && !LEFT_OUT.includes(name)
  return Object.fromEntries(Object.entries(trigger).filter(isTold))
}

const LEFT_OUT = ['variables', 'created_at', 'report_comment']

export const triggerTools: readonly Tool[] = [listTool]
