import { STRICT } from '@signalbox/contracts/http'
import { WebhookSourceQuery } from '@signalbox/contracts/sources'
import { sourceRoutes } from '@signalbox/contracts/sources/routes'
import { Type } from 'typebox'
import { defineTool, ownText } from '#platform/tools'

const { team_path, cursor } = WebhookSourceQuery.properties
const { listSources, getSourceHealth } = sourceRoutes

/** The health of each takes some looks at its newest deliveries. */
const MOST = 20

export const listSourcesTool = defineTool({
  name: 'list_sources',
  title: 'List webhook sources',
  family: 'git',
  does: 'read',
  description:
    'Webhook sources, each with its allowlist and its health: whether deliveries come and are answered well, what is missing, and what to do.',
  input: Type.Object({ team_path, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST })), cursor }, STRICT),
  routes: { listSources, getSourceHealth },
  async handle({ input, routes }) {
    const { body, nextCursor } = await routes.listSources({ query: { limit: 10, ...input } })
    const sources: unknown[] = []
    // One after the other: an agent waits, and everybody else's database is the same.
    for (const { id, name, provider, enabled, team_path: team, repository_allowlist: allowlist } of body) {
      const health = (await routes.getSourceHealth({ params: { sourceID: ownText(id) } })).body
      const { status, sentence, last_delivery_at, last_accepted_at, rejected_in_a_row, recovery } = health
      const { former_names, probably_paused } = health
      const told = { status, sentence, last_delivery_at, last_accepted_at, rejected_in_a_row, probably_paused }
      const shown = { id, name, provider, enabled, team_path: team, repository_allowlist: allowlist }
      sources.push({ ...shown, health: { ...told, former_names, recovery } })
    }
    const more = { tool: 'list_sources', arguments: { ...input, cursor: nextCursor }, brings: 'older sources' }
    return { facts: { sources }, next: nextCursor === undefined ? [] : [more] }
  },
})
