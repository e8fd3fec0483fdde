import { STRICT } from '@signalbox/contracts/http'
import { KnowledgeParams, KnowledgeQuery } from '@signalbox/contracts/knowledge'
import { knowledgeRoutes } from '@signalbox/contracts/knowledge/routes'
import { Type } from 'typebox'
import { defineTool, linesOf, type Tool } from '#platform/tools'

const { listKnowledgeItems, getKnowledgeItem, listEmergencies } = knowledgeRoutes
const { scope, team_path: ofTeam, kind, cursor } = KnowledgeQuery.properties

const listTool = defineTool({
  name: 'list_knowledge',
  title: 'List policies and emergencies',
  family: 'knowledge',
  does: 'read',
  description:
    'Policies, guardrails, references and active emergencies: with scope those that hold there. With item also the text of one. A rule that blocks a run is named by explain_run.',
  input: Type.Object(
    {
      scope,
      team_path: ofTeam,
      kind,
      item: Type.Optional(
        Type.String({
          ...KnowledgeParams.properties.id,
          description: 'Id or identifier: only this one, with its text.',
        }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
      cursor,
    },
    STRICT,
  ),
  routes: { listKnowledgeItems, getKnowledgeItem, listEmergencies },
  async handle({ input, routes }) {
    const { item, ...query } = input
    if (item !== undefined) {
      const { text, ...facts } = (await routes.getKnowledgeItem({ params: { id: item } })).body
      const lines = linesOf(text).map((line, index) => ({ label: String(index + 1), text: line }))
      return { facts: { item: facts }, quotes: [{ source: 'text of the item', lines }] }
    }
    const items = await routes.listKnowledgeItems({ query: { limit: 10, ...query } })
    // An emergency stops runs whatever the items say, and there are few.
    const emergencies = await routes.listEmergencies({ query: { active: true, limit: 10 } })
    const next = { tool: 'list_knowledge', arguments: { ...input, cursor: items.nextCursor }, brings: 'older items' }
    return {
      facts: {
        items: items.body.map(({ id, identifier, kind: ofKind, scope: pattern, rule, at, message, revision }) => {
          return { id, identifier, kind: ofKind, scope: pattern, rule, at, message, revision }
        }),
        active_emergencies: emergencies.body.map(({ id, team_path, scope: pattern, reason, declared_at }) => {
          return { id, team_path, scope: pattern, reason, declared_at }
        }),
      },
      next: items.nextCursor === undefined ? [] : [next],
    }
  },
})

export const knowledgeTools: readonly Tool[] = [listTool]
