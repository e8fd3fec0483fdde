import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

/** Answered by the room dispatch. A file of its own: pages that are loaded first state routes of that room. */
export const trialRoutes = routesOf<typeof shapes>()({
  tryKnowledgeItem: {
    tag: 'knowledge',
    method: 'POST',
    path: '/v1/knowledge/trials',
    limitedTokens: 'ask',
    summary: 'What would an item, saved or drafted, have made of past runs? Nothing is stored, nothing starts',
    permission: 'knowledge.read',
    body: 'KnowledgeTrial',
    answers: { 200: 'KnowledgeTrialResult' },
  },
})
