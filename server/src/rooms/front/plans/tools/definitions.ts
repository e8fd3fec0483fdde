import { STRICT, TeamPath, Uuid } from '@signalbox/contracts/http'
import { OverrideDocument } from '@signalbox/contracts/overrides'
import { overrideRoutes } from '@signalbox/contracts/overrides/routes'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { runnerRoutes } from '@signalbox/contracts/runners/routes'
import { scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import { triggerRoutes } from '@signalbox/contracts/triggers/routes'
import { Type } from 'typebox'
import { platformProblem } from '#platform/problems'
import { defineTool, type Tool } from '#platform/tools'
import { createPlan, given, showPlan } from './show-plan.ts'

const { createPipeline, replacePipeline } = pipelineRoutes
const { createTrigger, replaceTrigger, updateTrigger, deleteTrigger } = triggerRoutes
const { createSchedule, replaceSchedule, updateSchedule, deleteSchedule, runSchedule } = scheduleRoutes
const { enableSchedule, disableSchedule } = scheduleRoutes
const { replaceOverride, deleteOverride } = overrideRoutes
const { updateRunner } = runnerRoutes
const { pipeline: overriding, scope, expires_at, reason } = OverrideDocument.properties

function anyFields(description: string) {
  return Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description }))
}

export const definitionTools: readonly Tool[] = [
  defineTool({
    name: 'plan_pipeline',
    title: 'Plan a pipeline',
    family: 'pipelines',
    does: 'plan',
    description:
      'What saving a document would do: a new version of `pipeline`, or a new pipeline of `team_path`. Says everything that is wrong. Saves nothing. Then call confirm_plan.',
    input: Type.Object(
      {
        pipeline: Type.Optional(Type.String({ minLength: 1, maxLength: 600 })),
        team_path: Type.Optional(TeamPath),
        document: Type.String({ description: 'The whole YAML.' }),
      },
      STRICT,
    ),
    routes: { createPlan, createPipeline, replacePipeline },
    needs: ['pipeline.read'],
    async handle({ input: { pipeline: id, team_path, document }, routes }) {
      if (id !== undefined) {
        const request = { action: 'replacePipeline', params: { id }, body: { document } } as const
        return showPlan(await routes.createPlan({ body: request }))
      }
      const body = given({ team_path, document })
      return showPlan(await routes.createPlan({ body: { action: 'createPipeline', body } }))
    },
  }),
  defineTool({
    name: 'plan_trigger',
    title: 'Plan a trigger',
    family: 'triggers',
    does: 'plan',
    description:
      'What a change of a trigger would do: create and replace take all fields, update those that change, delete none. Changes nothing. Then call confirm_plan. simulate_trigger says what it would have started.',
    input: Type.Object(
      {
        change: Type.Enum(['create', 'replace', 'update', 'delete']),
        trigger_id: Type.Optional(Uuid),
        fields: anyFields('name, team_path, repositories, events, branches, pipeline, scope, variables, enabled …'),
      },
      STRICT,
    ),
    routes: { createPlan, createTrigger, replaceTrigger, updateTrigger, deleteTrigger },
    needs: ['trigger.read'],
    async handle({ input: { change, trigger_id, fields = {} }, routes }) {
      const action = ACTIONS_OF_TRIGGERS[change]
      const body = change === 'delete' ? {} : { body: fields }
      const params = change === 'create' ? {} : { params: { id: named('trigger_id', trigger_id) } }
      return showPlan(await routes.createPlan({ body: { action, ...params, ...body } }))
    },
  }),
  defineTool({
    name: 'plan_schedule',
    title: 'Plan a schedule',
    family: 'schedules',
    does: 'plan',
    description:
      'What a change of a schedule would do: create and replace take all fields, update those that change, others none. Changes and starts nothing. Then call confirm_plan.',
    input: Type.Object(
      {
        change: Type.Enum(['create', 'replace', 'update', 'delete', 'enable', 'disable', 'run']),
        schedule: Type.Optional(Type.String({ maxLength: 600 })),
        fields: anyFields('path, name, pipeline, schedule_kind, cron_expression, run_at, timezone, scope, enabled …'),
      },
      STRICT,
    ),
    routes: {
      createPlan,
      createSchedule,
      replaceSchedule,
      updateSchedule,
      deleteSchedule,
      enableSchedule,
      disableSchedule,
    },
    needs: ['schedule.read'],
    optional: { runSchedule },
    async handle({ input: { change, schedule, fields = {} }, routes }) {
      const action = ACTIONS_OF_SCHEDULES[change]
      const body = WITH_FIELDS.includes(change) ? { body: fields } : {}
      const params = change === 'create' ? {} : { params: { id: named('schedule', schedule) } }
      return showPlan(await routes.createPlan({ body: { action, ...params, ...body } }))
    },
  }),
  defineTool({
    name: 'plan_override',
    title: 'Plan an override',
    family: 'triggers',
    does: 'plan',
    description:
      'What an override of a repository would do: its events would start one pipeline instead of all else; with delete it goes. Changes nothing. Then call confirm_plan.',
    input: Type.Object(
      {
        repository: Type.String({ pattern: '^[^/]+(/[^/]+)+$', maxLength: 1000, description: 'owner/name' }),
        pipeline: Type.Optional(overriding),
        scope,
        expires_at,
        reason,
        delete: Type.Optional(Type.Boolean()),
      },
      STRICT,
    ),
    routes: { createPlan, replaceOverride, deleteOverride },
    async handle({ input: { repository, delete: isDeleted, ...fields }, routes }) {
      const cut = repository.lastIndexOf('/')
      const params = { repoOwner: repository.slice(0, cut), repoName: repository.slice(cut + 1) }
      if (isDeleted === true) return showPlan(await routes.createPlan({ body: { action: 'deleteOverride', params } }))
      const request = { action: 'replaceOverride', params, body: given(fields) } as const
      return showPlan(await routes.createPlan({ body: request }))
    },
  }),
  defineTool({
    name: 'plan_runner',
    title: 'Plan a change of a runner',
    family: 'runners',
    does: 'plan',
    description: 'What enabling, disabling or draining a runner would do. Changes nothing. Then call confirm_plan.',
    input: Type.Object(
      {
        runner_id: Uuid,
        enabled: Type.Optional(Type.Boolean()),
        draining: Type.Optional(Type.Boolean()),
      },
      STRICT,
    ),
    routes: { createPlan, updateRunner },
    needs: ['runner.read'],
    async handle({ input: { runner_id: id, ...fields }, routes }) {
      return showPlan(
        await routes.createPlan({ body: { action: 'updateRunner', params: { id }, body: given(fields) } }),
      )
    },
  }),
]

const ACTIONS_OF_TRIGGERS = {
  create: 'createTrigger',
  replace: 'replaceTrigger',
  update: 'updateTrigger',
  delete: 'deleteTrigger',
} as const

const ACTIONS_OF_SCHEDULES = {
  create: 'createSchedule',
  replace: 'replaceSchedule',
  update: 'updateSchedule',
  delete: 'deleteSchedule',
  enable: 'enableSchedule',
  disable: 'disableSchedule',
  run: 'runSchedule',
} as const

const WITH_FIELDS: readonly string[] = ['create', 'replace', 'update']

function named(field: string, value: string | undefined): string {
  if (value !== undefined) return value
  throw platformProblem('invalid_request', `${field} is required for this change.`, {
    errors: [{ field, message: 'is required for this change' }],
  })
}
