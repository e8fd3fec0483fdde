import { STRICT } from '@signalbox/contracts/http'
import { resolutionRoutes } from '@signalbox/contracts/overrides/routes'
import { Type } from 'typebox'
import { defineTool, type Tool } from '#platform/tools'

const { previewOverride } = resolutionRoutes
const text = Type.String({ minLength: 1, maxLength: 600 })

const previewTool = defineTool({
  name: 'preview_override',
  title: 'Try an override',
  family: 'triggers',
  does: 'read',
  description:
    'What the last 50 deliveries of a repository would have started with an override, where that differs. Stores nothing. Try it before plan_override.',
  input: Type.Object(
    {
      repository: Type.String({ pattern: '^[^/]+(/[^/]+)+$', maxLength: 1000 }),
      pipeline: text,
      scope: Type.Optional(text),
    },
    STRICT,
  ),
  routes: { previewOverride },
  async handle({ input, routes }) {
    const { repository, ...wanted } = input
    const cut = repository.lastIndexOf('/')
    const place = { repo_owner: repository.slice(0, cut), repo_name: repository.slice(cut + 1) }
    const { body } = await routes.previewOverride({ body: { ...place, ...wanted } })
    return { facts: body }
  },
})

export const eventTools: readonly Tool[] = [previewTool]
