import type { Permission } from '@signalbox/contracts/access'
import { approvalRoutes } from '@signalbox/contracts/approvals/routes'
import { STRICT, Uuid } from '@signalbox/contracts/http'
import { RunStart } from '@signalbox/contracts/runs'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { deliveryRoutes } from '@signalbox/contracts/sources/routes'
import { Type } from 'typebox'
import { defineTool, type Tool } from '#platform/tools'
import { createPlan, given, showPlan } from './show-plan.ts'

// The route of the write stands beside createPlan for its permission: by it the tool is shown or hidden.
const { startRun, rerunRun, cancelRun } = runRoutes
const { replayDelivery } = deliveryRoutes
const { decideApproval } = approvalRoutes
const { variables, scope, ref, repository } = RunStart.properties
/** The scope may be of another team than the pipeline, and one that the caller does not see is as one that is not there. */
const OF_SCOPE: readonly Permission[] = ['environment.read', 'scope.use']
const Step = Type.String({ minLength: 1, maxLength: 200 })

export const runTools: readonly Tool[] = [
  defineTool({
    name: 'plan_start_run',
    title: 'Plan a run',
    family: 'runs',
    does: 'plan',
    description: 'What a run of a pipeline would do and whom it would replace; starts nothing. Then call confirm_plan.',
    input: Type.Object(
      { pipeline: Type.String({ minLength: 1, maxLength: 600 }), scope, variables, repository, ref },
      STRICT,
    ),
    routes: { createPlan, startRun },
    needs: ['pipeline.read'],
    needsElsewhere: [OF_SCOPE],
    async handle({ input, routes }) {
      const { pipeline: id, ...body } = input
      return showPlan(await routes.createPlan({ body: { action: 'startRun', params: { id }, body: given(body) } }))
    },
  }),
  defineTool({
    name: 'plan_rerun',
    title: 'Plan a rerun',
    family: 'runs',
    does: 'plan',
    description:
      'What a rerun would do again: whole, what failed, or one step and what follows it; document newest takes the pipeline as it is now. Starts nothing. Then call confirm_plan.',
    input: Type.Object(
      {
        run_id: Uuid,
        mode: Type.Optional(Type.Enum(['whole', 'failed', 'step'])),
        step: Type.Optional(Step),
        document: Type.Optional(Type.Enum(['pinned', 'newest'])),
        variables,
      },
      STRICT,
    ),
    routes: { createPlan, rerunRun },
    needs: ['run.read'],
    needsElsewhere: [OF_SCOPE],
    async handle({ input, routes }) {
      const { run_id: id, ...body } = input
      return showPlan(await routes.createPlan({ body: { action: 'rerunRun', params: { id }, body: given(body) } }))
    },
  }),
  defineTool({
    name: 'plan_cancel_run',
    title: 'Plan a cancel',
    family: 'runs',
    does: 'plan',
    description: 'What a cancel of a run would end; cancels nothing. Then call confirm_plan.',
    input: Type.Object({ run_id: Uuid, reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })) }, STRICT),
    routes: { createPlan, cancelRun },
    needs: ['run.read'],
    async handle({ input, routes }) {
      const { run_id: id, ...body } = input
      return showPlan(await routes.createPlan({ body: { action: 'cancelRun', params: { id }, body: given(body) } }))
    },
  }),
  defineTool({
    name: 'plan_replay',
    title: 'Plan a replay',
    family: 'git',
    does: 'plan',
    description:
      'What a stored delivery would start with the triggers of today; starts nothing. Then call confirm_plan.',
    input: Type.Object({ source_id: Uuid, delivery_id: Uuid }, STRICT),
    routes: { createPlan, replayDelivery },
    needs: ['webhook_source.read', 'delivery.read'],
    async handle({ input, routes }) {
      const params = { sourceID: input.source_id, deliveryID: input.delivery_id }
      return showPlan(await routes.createPlan({ body: { action: 'replayDelivery', params } }))
    },
  }),
  defineTool({
    name: 'plan_approval',
    title: 'Plan a decision',
    family: 'approvals',
    does: 'plan',
    description:
      'What your decision about an approval step would do, where the step names this service account. Decides nothing. Then call confirm_plan.',
    input: Type.Object(
      {
        run_id: Uuid,
        step: Step,
        decision: Type.Enum(['approve', 'reject']),
        comment: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
      },
      STRICT,
    ),
    routes: { createPlan, decideApproval },
    // A step that means people means no machine; the decision itself asks whom the step names.
    onlyFor: 'service_account',
    async handle({ input, routes }) {
      const { run_id: id, step, ...body } = input
      const request = { action: 'decideApproval', params: { id, step }, body: given(body) } as const
      return showPlan(await routes.createPlan({ body: request }))
    },
  }),
]
