import { STRICT } from '@signalbox/contracts/http'
import { ScheduleQuery } from '@signalbox/contracts/schedules'
import { explainRoutes, scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import { Type } from 'typebox'
import { defineTool, type Tool } from '#platform/tools'

const { listSchedules } = scheduleRoutes
const { explainSchedule } = explainRoutes
const { team_path, enabled, cursor } = ScheduleQuery.properties

const explainTool = defineTool({
  name: 'explain_schedule',
  title: 'Why a schedule fired or not',
  family: 'schedules',
  does: 'read',
  description:
    'Why a schedule fired, or did not, at an instant: the stored fire and its run, or what stood against it, and the nearest instants.',
  input: Type.Object(
    {
      schedule: Type.String({
        minLength: 1,
        maxLength: 600,
        description: 'Id or identifier, such as acme/web/nightly.',
      }),
      at: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 40,
          description: 'RFC 3339, or local time of the schedule. Default: now.',
        }),
      ),
    },
    STRICT,
  ),
  routes: { explainSchedule },
  async handle({ input, routes }) {
    const { sentences: _again, ...facts } = (await routes.explainSchedule({ query: input })).body
    return { facts }
  },
})

const listTool = defineTool({
  name: 'list_schedules',
  title: 'List schedules',
  family: 'schedules',
  does: 'read',
  description: 'Schedules, newest first: when each fires next, and what became of its last fire.',
  input: Type.Object(
    { team_path, enabled, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })), cursor },
    STRICT,
  ),
  routes: { listSchedules },
  async handle({ input, routes }) {
    const { body, nextCursor } = await routes.listSchedules({ query: { limit: 10, ...input } })
    const schedules = body.map((each) => {
      const { id, identifier, pipeline, scope, owner, repository, ref } = each
      const { cron_expression, run_at, timezone, next_fire_at } = each
      const { last_fire_at, last_outcome, last_reason, last_run_id } = each
      const what = { id, identifier, enabled: each.enabled, pipeline, scope, owner, repository, ref }
      const times = { cron_expression, run_at, timezone, next_fire_at }
      return { ...what, ...times, last_fire_at, last_outcome, last_reason, last_run_id }
    })
    const more = { tool: 'list_schedules', arguments: { ...input, cursor: nextCursor }, brings: 'older schedules' }
    return { facts: { schedules }, next: nextCursor === undefined ? [] : [more] }
  },
})

export const scheduleTools: readonly Tool[] = [explainTool, listTool]
