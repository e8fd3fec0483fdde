import { ApprovalQuery } from '@signalbox/contracts/approvals'
import { approvalRoutes } from '@signalbox/contracts/approvals/routes'
import { STRICT } from '@signalbox/contracts/http'
import { Type } from 'typebox'
import { defineTool, type Tool } from '#platform/tools'

const { team_path, state, cursor } = ApprovalQuery.properties

export const approvalTools: readonly Tool[] = [
  defineTool({
    name: 'list_approvals',
    title: 'List approvals',
    family: 'approvals',
    does: 'read',
    description:
      'Steps of runs that wait for your decision, or that were decided; newest first. People decide, and service accounts that a step names.',
    input: Type.Object(
      { team_path, state, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })), cursor },
      STRICT,
    ),
    routes: { listApprovals: approvalRoutes.listApprovals },
    async handle({ input, routes }) {
      const { body, nextCursor } = await routes.listApprovals({ query: { limit: 10, ...input } })
      const approvals = body.map((request) => {
        const { decisions, fields, allow_self: _self, remind_at: _remind, team_path: _team, ...told } = request
        return {
          ...told,
          fields: fields.map(({ name, type, required }) => ({ name, type, required })),
          decisions: decisions.map(({ decision, by, comment, decided_at }) => ({ decision, by, comment, decided_at })),
        }
      })
      const more = { tool: 'list_approvals', arguments: { ...input, cursor: nextCursor }, brings: 'older ones' }
      return { facts: { approvals }, next: nextCursor === undefined ? [] : [more] }
    },
  }),
]
