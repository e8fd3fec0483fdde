import {
  KnowledgeInput,
  KnowledgeParams,
  KnowledgeTest,
  KnowledgeTestResult,
  KnowledgeValidation,
} from '@signalbox/contracts/knowledge'
import { answer, defineRoute, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import { testItem } from '../actions/test-item.ts'
import { validateItem } from '../actions/validate-item.ts'
import type { KnowledgeMeans } from '../index.ts'
import { readContent } from './read-content.ts'

const common = { tag: 'knowledge', class: 'authorized', permission: 'knowledge.read' } as const

export function judgingRoutes(kit: Kit, means: KnowledgeMeans): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'POST',
      path: '/v1/knowledge/validate',
      summary: 'Say everything that is wrong with a knowledge item, and where its rule would be judged',
      schema: { body: KnowledgeInput },
      responses: { 200: KnowledgeValidation },
      handle: async ({ body, caller }) => {
        const input = { ...readContent(body), teamPath: body.team_path, name: body.name, kind: body.kind }
        return answer(200, await validateItem(kit, means, caller, input))
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/v1/knowledge/:id/test',
      summary: 'What a knowledge item would say to a run, step or task that the body describes',
      schema: { params: KnowledgeParams, body: KnowledgeTest },
      responses: { 200: KnowledgeTestResult },
      handle: async ({ body, caller, params }) => answer(200, await testItem(kit, caller, params.id, body)),
    }),
  ]
}
