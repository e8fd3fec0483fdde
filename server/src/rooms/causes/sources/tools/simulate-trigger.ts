import { EVENT_KINDS } from '@signalbox/contracts/event'
import { STRICT, Uuid } from '@signalbox/contracts/http'
import { simulationRoutes } from '@signalbox/contracts/triggers/routes'
import { Type } from 'typebox'
import { defineTool } from '#platform/tools'

const { simulateTrigger } = simulationRoutes
/** The route says what is wrong with a text: its patterns would cost each agent more than they help. */
const text = Type.String({ minLength: 1, maxLength: 2048 })
const texts = Type.Array(text, { maxItems: 200 })
const patterns = Type.Optional(texts)

export const simulateTriggerTool = defineTool({
  name: 'simulate_trigger',
  title: 'Try a trigger',
  family: 'triggers',
  does: 'read',
  description:
    'Which kept deliveries a trigger would have started its pipeline for, and which condition the others failed. Stores nothing. Try it before plan_trigger.',
  input: Type.Object(
    {
      team_path: text,
      repositories: texts,
      events: Type.Array(Type.Enum([...EVENT_KINDS]), { minItems: 1, uniqueItems: true }),
      actions: patterns,
      branches: patterns,
      tags: patterns,
      paths: patterns,
      labels: patterns,
      if: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description: 'CEL over `event`.' })),
      pipeline: text,
      scope: text,
      source_id: Type.Optional(Uuid),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
    },
    STRICT,
  ),
  routes: { simulateTrigger },
  // The pipeline and the scope may be of other teams.
  needsElsewhere: [
    ['pipeline.read', 'run.start'],
    ['environment.read', 'scope.use'],
  ],
  async handle({ input, routes }) {
    const { limit = 10, source_id: source, ...trigger } = input
    const document = { name: 'tried', ...trigger, ...(source === undefined ? {} : { source_id: source }) }
    const { body } = await routes.simulateTrigger({ body: { trigger: document, limit } })
    const results = body.results.map(({ trace, ...result }) => {
      const failed = trace.conditions.find(({ passed }) => passed === false)
      return { ...result, outcome: trace.outcome, reason: trace.reason, failed }
    })
    return { facts: { deliveries_considered: body.deliveries_considered, results } }
  },
})
