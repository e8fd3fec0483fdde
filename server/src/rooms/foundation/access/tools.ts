import { AccessExplanationQuery, PERMISSION_NAMES } from '@signalbox/contracts/access'
import { accessExplanationRoutes, identityRoutes } from '@signalbox/contracts/access/routes'
import { STRICT } from '@signalbox/contracts/http'
import { Type } from 'typebox'
import { defineTool, type Tool } from '#platform/tools'

const { getMe } = identityRoutes
const { explainAccess } = accessExplanationRoutes
const { subject, team_path: teamPath } = AccessExplanationQuery.properties

const whoamiTool = defineTool({
  name: 'whoami',
  title: 'Who am I',
  family: 'access',
  does: 'read',
  description:
    'For whom you act, the limits of your token, and your permissions by team path, which hold there and below; "/" is everywhere.',
  input: Type.Object({}, STRICT),
  routes: { getMe },
  async handle({ routes }) {
    const { body } = await routes.getMe({})
    const { kind, id, name, groups, token, capabilities } = body
    const { administrator, permissions } = capabilities
    // An administrator has every permission everywhere: the list would say nothing more.
    const held = administrator ? {} : { permissions }
    // Its name is any text, and says nothing that the id does not.
    const { name: _called, ...limits } = token ?? { name: '' }
    const used = token === null ? null : limits
    const names = groups.map((group) => group.name)
    return { facts: { kind, id, name, groups: names, token: used, administrator, ...held } }
  },
})

const explainTool = defineTool({
  name: 'explain_access',
  title: 'Why may I, or not',
  family: 'access',
  does: 'read',
  description:
    'Whether you may do something at a team, by which grants; else whether a grant is missing, with who can give it, or a limit of your token refuses. Of another subject with grant.read there.',
  input: Type.Object(
    {
      permission: Type.Enum([...PERMISSION_NAMES], { description: 'Such as run.start; whoami lists yours.' }),
      team_path: Type.Union([teamPath], { description: '"/" is the platform.' }),
      subject,
    },
    STRICT,
  ),
  routes: { explainAccess },
  async handle({ input, routes }) {
    const { body } = await routes.explainAccess({ query: input })
    const { allowed, sentence: _, ...explanation } = body
    return { facts: { allowed, ...explanation } }
  },
})

export const accessTools: readonly Tool[] = [whoamiTool, explainTool]
